"""IELP: five crawlers, one topic of five weighted words, 15,000 pages (section 4, Table 2, Figs. 1–3)."""

from topicrawl_lab.reproduce import published
from topicrawl_lab.reproduce.design import Claim, Crawler, Grid, Setup, Subject, values
from topicrawl_lab.reproduce.experiment import TIME

TOPIC = "rainstorm disaster: rainstorm 0.8, disaster 0.5, rainfall 0.3, weather 0.1, meteorology 0.1"
OTHERS = ("BFS", "OPS", "FCSA", "ELP")
LINK_THRESHOLDS = ("0.1", "0.12", "0.15", "0.2", "0.25", "0.3")
"""The paper tried 0.1 to 0.3."""
TEMPERATURES = ("2e19", "2e20", "2e21", "2e22", "2e23")
PAGE_THRESHOLDS = (0.5, 0.55, 0.6, 0.62, 0.65, 0.7)
WITH_R2, BEST_R2 = values(
    "IELP", "ielp[discarded=never,link_threshold={}]", LINK_THRESHOLDS, "0.12", symbol="r2"
)
WITH_T, BEST_T = values("IELP", "ielp[temperature={}]", TEMPERATURES, "2e21", symbol="T")
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
        Claim(
            "Breadth-first takes less time than the others",
            "BFS",
            ("OPS", "FCSA", "ELP", "IELP"),
            TIME,
            less=True,
        ),
        Claim(
            "Best-first takes less time than FCSA, ELP, IELP", "OPS", ("FCSA", "ELP", "IELP"), TIME, less=True
        ),
        Claim("IELP takes most time", "IELP", OTHERS, TIME),
        BEST_R2,
        BEST_T,
    ),
    published=(published.IELP,),
    grids=(
        Grid("The link threshold r2", ("r1", "r2"), WITH_R2, LINK_THRESHOLDS, PAGE_THRESHOLDS),
        Grid("The temperature T", ("r1", "T in K"), WITH_T, TEMPERATURES, PAGE_THRESHOLDS),
    ),
    independent="words",
    notes=(
        "The paper does not say how many seeds it has (30 here, as its sister papers) nor how often it was run.",
        "r1 decides which pages count, not which are fetched: a lower r1 finds more by definition.",
        "For the independent judge all crawlers have five words found in documents.",
    ),
)
