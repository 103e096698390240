"""IELP: five crawlers, one topic of five weighted words, 15,000 pages (section 4, Table 2, Figs. 1–3)."""

from topicrawl_lab.reproduce import published
from topicrawl_lab.reproduce.design import Claim, Crawler, Setup, Subject

TOPIC = "rainstorm disaster: rainstorm 0.8, disaster 0.5, rainfall 0.3, weather 0.1, meteorology 0.1"
OTHERS = ("BFS", "OPS", "FCSA", "ELP")
SETUP = Setup(
    paper="ielp",
    title="IELP: a crawler by improved energy landscape paving",
    subjects=(Subject("rainstorm disaster", "rainstorm disaster", threshold=0.62, spec=TOPIC),),
    crawlers=(
        Crawler("BFS", ("bfs",)),
        Crawler("OPS", ("ops[priority=ielp]", "ops")),
        Crawler("FCSA", ("fcsa",)),
        Crawler("ELP", ("elp",)),
        Crawler("IELP", ("ielp",)),
    ),
    seeds=30,
    budget=15_000,
    repeats=10,
    rows=(3000, 6000, 9000, 12_000, 15_000),
    measures=("M", "HR", "AR"),
    claims=(
        Claim("IELP finds more relevant pages than the other four", "IELP", OTHERS, "M"),
        Claim("IELP has the highest average relevance", "IELP", OTHERS, "AR"),
        Claim("IELP leads from 4,000 pages on", "IELP", OTHERS, "M", after=4 / 15),
        Claim("Best-first finds more than breadth-first", "OPS", ("BFS",), "M"),
        Claim("Best-first has a higher average relevance than breadth-first", "OPS", ("BFS",), "AR"),
    ),
    published=(published.IELP,),
    notes=(
        "The paper does not say how many seeds it has (30 here, as its sister papers) nor how often it was run.",
        "Times are not compared: the paper's hold the waiting for a live web.",
    ),
)
