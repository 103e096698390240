"""FCWSEO: six crawlers, rainstorm disaster, 30 seeds, 15,000 pages (section 7, Tables 3–5, Figs. 6–9)."""

from topicrawl.evaluate.reproduce import published
from topicrawl.evaluate.reproduce.setup import Claim, Crawler, Setup, Subject

OTHERS = ("BFS", "OPS", "FCSA", "On-ITS", "MOACO")
SETUP = Setup(
    paper="fcwseo",
    title="FCWSEO: a crawler by web space evolution and ontology",
    subjects=(Subject("rainstorm disaster", "rainstorm disaster", threshold=0.7),),
    crawlers=(
        Crawler("BFS", ("bfs",)),
        Crawler("OPS", ("ops[priority=fcwseo]", "ops")),
        Crawler("FCSA", ("fcsa",)),
        Crawler("On-ITS", ("fcoits",)),
        Crawler("MOACO", ("moaco",)),
        Crawler("FCWSE", ("fcwse",)),
        Crawler("FCWSEO", ("fcwseo",)),
    ),
    seeds=30,
    budget=15_000,
    repeats=10,
    rows=(1000, 3000, 5000, 7000, 9000, 11_000, 13_000, 15_000),
    measures=("M", "HR", "AR", "SD"),
    claims=(
        Claim("FCWSEO finds more relevant pages than the other five", "FCWSEO", OTHERS, "M"),
        Claim("FCWSEO has the highest average relevance from 8,000 pages on", "FCWSEO", OTHERS, "AR", 8 / 15),
        Claim("FCWSEO's relevance varies less than all but MOACO's", "FCWSEO", OTHERS[:-1], "SD"),
        Claim("MOACO's relevance varies least", "MOACO", (*OTHERS[:-1], "FCWSEO"), "SD"),
        Claim("The ontology helps: FCWSEO finds more than FCWSE", "FCWSEO", ("FCWSE",), "M"),
        Claim("Best-first is ahead of FCWSEO early, at 1,000 pages", "OPS", ("FCWSEO",), "M", 1 / 15),
        Claim("Best-first finds more than breadth-first", "OPS", ("BFS",), "M"),
    ),
    published=(published.FCWSEO, published.FCWSEO_ABLATION),
    notes=(
        "The paper's grid search ran ten times, its Table 3 once; here every row is the mean of all repeats.",
        "The paper scores a link by the page behind it, which a crawler cannot know before it has fetched it; "
        "such looks are charged to the budget here.",
    ),
)
