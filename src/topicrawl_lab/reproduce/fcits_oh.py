"""FCITS_OH: nine crawlers, tourism and rainstorm disaster, 30 seeds each, 15,000 pages (section 5, Tables 2–3)."""

from topicrawl_lab.reproduce import published
from topicrawl_lab.reproduce.design import Claim, Crawler, Setup, Subject

TOURISM, RAINSTORM = "tourism", "rainstorm disaster"
TOURISM_WORDS = "tourism words: tourism|travel 0.8, tourist 0.5, hotel 0.3, ticket 0.1, restaurant 0.1"
OTHERS = ("BFS", "OPS", "FCSA", "FCWSEO", "FCOITS")
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
        Claim("Best-first finds more than breadth-first", "OPS", ("BFS",), "M"),
    ),
    published=(published.FCITS_OH_TOURISM, published.FCITS_OH_RAINSTORM),
    ranks=True,
    notes=(
        "The paper's Friedman ranks are average ranks over four measures of one run; they are shown as that, "
        "claims are judged by repeats.",
        "OPS, FCTS, FCITS, FCOITS and FCITS_OH have the paper's β of each domain, and α where they know it.",
        "FCSA, FCTS and FCITS are steered by five weighted words (those of tourism are ours), the others by the "
        "ontology; all are judged by the ontology.",
        "OLMOACO crawls with the same ontology as the others: the invented web has no documents to learn one from.",
        "How often the paper ran its crawlers is not stated.",
    ),
)
