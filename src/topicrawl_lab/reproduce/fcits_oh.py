"""FCITS_OH: nine crawlers, tourism and rainstorm disaster, 30 seeds each, 15,000 pages (section 5, Tables 2–3)."""

from topicrawl_lab.reproduce import published
from topicrawl_lab.reproduce.design import Claim, Crawler, Grid, Setup, Subject, values
from topicrawl_lab.reproduce.experiment import TIME

TOURISM, RAINSTORM = "tourism", "rainstorm disaster"
TOURISM_WORDS = "tourism words: tourism|travel 0.8, tourist 0.5, hotel 0.3, ticket 0.1, restaurant 0.1"
OTHERS = ("BFS", "OPS", "FCSA", "FCWSEO", "FCOITS")
ALPHAS = ("0.5", "0.6", "0.62", "0.65", "0.7", "0.8")
"""The paper tried 0.5 to 0.8."""
BETAS = ("0.05", "0.1", "0.15", "0.19", "0.25", "0.3")
"""The paper does not say which it tried."""
ROWS = (0.5, 0.6, 0.62, 0.65, 0.7, 0.8)
ALPHA, BETA = "fcits_oh[page_threshold={}]", "fcits_oh[discarded=never,link_threshold={}]"
WITH_ALPHA, BEST_ALPHA = values("FCITS_OH", ALPHA, ALPHAS, "0.7", symbol="α", subject=TOURISM)
_, BEST_ALPHA_RAIN = values("FCITS_OH", ALPHA, ALPHAS, "0.62", symbol="α", subject=RAINSTORM)
WITH_BETA, BEST_BETA = values("FCITS_OH", BETA, BETAS, "0.19", symbol="β", subject=TOURISM)
_, BEST_BETA_RAIN = values("FCITS_OH", BETA, BETAS, "0.15", symbol="β", subject=RAINSTORM)
SETUP = Setup(
    paper="fcits_oh",
    title="FCITS_OH: a crawler by improved tabu search, ontology and host information",
    subjects=(
        Subject(TOURISM, "tourism", 0.70, spec="tourism", words=TOURISM_WORDS, domain="tourism"),
        Subject(
            RAINSTORM,
            "rainstorm disaster",
            0.62,
            spec="rainstorm-50",
            words="rainstorm-words",
            domain="rainstorm",
        ),
    ),
    crawlers=(
        Crawler("BFS", ("bfs",)),
        Crawler("OPS", ("ops[priority=fcits]", "ops")),
        Crawler("FCSA", ("fcsa",), words=True),
        Crawler("FCWSEO", ("fcwseo",)),
        Crawler("OLMOACO", ("olmoaco",)),
        Crawler("FCTS", ("fcts",), words=True),
        Crawler("FCITS", ("fcits",), words=True),
        Crawler("FCOITS", ("fcoits",)),
        Crawler("FCITS_OH", ("fcits_oh",)),
    ),
    seeds=30,
    budget=15_000,
    repeats=10,
    rows=(3000, 6000, 9000, 12_000, 15_000),
    measures=("M", "HR", "AR", "SD"),
    claims=(
        Claim("FCITS_OH finds most in tourism", "FCITS_OH", OTHERS, "M", subject=TOURISM),
        Claim("… and leads from 8,000 pages on", "FCITS_OH", OTHERS, "HR", 8 / 15, TOURISM),
        Claim(
            "FCITS_OH finds most in rainstorm disaster",
            "FCITS_OH",
            (*OTHERS, "OLMOACO"),
            "M",
            subject=RAINSTORM,
        ),
        Claim("Host information helps: FCITS_OH finds more than FCOITS", "FCITS_OH", ("FCOITS",), "M"),
        Claim("The improved tabu search finds more than the classic one", "FCITS", ("FCTS",), "M"),
        Claim("… and its pages are more relevant", "FCITS", ("FCTS",), "AR"),
        Claim("… and vary less", "FCITS", ("FCTS",), "SD", less=True),
        Claim("… in more time", "FCITS", ("FCTS",), TIME),
        Claim("Best-first finds more than breadth-first", "OPS", ("BFS",), "M"),
        Claim("Breadth-first takes the least time", "BFS", (*OTHERS[1:], "FCITS_OH"), TIME, less=True),
        Claim(
            "FCWSEO takes most time in tourism",
            "FCWSEO",
            (*OTHERS[:3], "FCOITS", "FCITS_OH"),
            TIME,
            1,
            TOURISM,
        ),
        Claim(
            "OLMOACO takes most time in rainstorm disaster",
            "OLMOACO",
            (*OTHERS, "FCITS_OH"),
            TIME,
            1,
            RAINSTORM,
        ),
        Claim(
            "FCITS_OH takes more time than BFS, OPS, FCSA, FCOITS", "FCITS_OH", (*OTHERS[:3], "FCOITS"), TIME
        ),
        BEST_ALPHA,
        BEST_ALPHA_RAIN,
        BEST_BETA,
        BEST_BETA_RAIN,
    ),
    published=(published.FCITS_OH_TOURISM, published.FCITS_OH_RAINSTORM),
    ranks=True,
    grids=(
        Grid("The page threshold α of the host memory", ("α of the judge", "α"), WITH_ALPHA, ALPHAS, ROWS),
        Grid("The link threshold β", ("α of the judge", "β"), WITH_BETA, BETAS, ROWS),
    ),
    independent="ontology",
    notes=(
        "The paper's Friedman ranks are average ranks over four measures of one run; they are shown as that, "
        "claims are judged by repeats.",
        "OPS, FCTS, FCITS, FCOITS and FCITS_OH have the paper's β of each domain, and α where they know it.",
        "FCSA, FCTS and FCITS are steered by five weighted words (those of tourism are ours), the others by the "
        "ontology; all are judged by the ontology.",
        "OLMOACO crawls with the same ontology as the others: the invented web has no documents to learn one from.",
        "How often the paper ran its crawlers is not stated.",
        "Pages about rainstorms are written from the ontology of 71 concepts; as the paper measures, crawlers are "
        "steered and judged by one of 50, as many as FCITS_OH has, of which 29 are among the 71.",
        "The running times of Table 2 are not in the text we have; claims on time follow what is said of them.",
        "All values of α and β are judged by the published α. Links at or below β are dropped for good, as published.",
        "AC is M divided by pages, so that FCITS > FCTS on both is one claim.",
    ),
)
