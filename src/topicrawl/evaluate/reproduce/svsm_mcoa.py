"""SVSM-MCOA: five crawlers, ten topics, 3 seeds each, 5,000 pages (section 4, Table 4, Figs. 5–7)."""

from topicrawl.evaluate.reproduce import published
from topicrawl.evaluate.reproduce.setup import Claim, Crawler, Setup, Subject

OTHERS = ("BF", "VSM", "SSRM", "MCOA")
TOPICS = (
    "rainstorm disaster",
    "tourism",
    "football",
    "cooking",
    "astronomy",
    "finance",
    "medicine",
    "gardening",
)
SETUP = Setup(
    paper="svsm_mcoa",
    title="SVSM-MCOA: a crawler by a semantic vector space model and membrane computing",
    subjects=tuple(Subject(topic, topic, threshold=0.3) for topic in TOPICS),
    crawlers=(
        Crawler("BF", ("bfs",)),
        Crawler("VSM", ("vsm",)),
        Crawler("SSRM", ("ssrm",)),
        Crawler("MCOA", ("mcoa",)),
        Crawler("SVSM-MCOA", ("svsm_mcoa",)),
        Crawler("OPS", ("ops",)),
    ),
    seeds=3,
    budget=5000,
    repeats=2,
    rows=(100, 500, 1000, 2000, 3000, 4000, 5000),
    measures=("M", "HR", "AS"),
    claims=(
        Claim("SVSM-MCOA finds more relevant pages than the other four", "SVSM-MCOA", OTHERS, "M"),
        Claim("… at every number of pages: already at 100", "SVSM-MCOA", OTHERS, "M", 100 / 5000),
        Claim("SVSM-MCOA's relevant pages are more similar to the topic", "SVSM-MCOA", OTHERS, "AS"),
        Claim("Weights by MCOA beat equal ones: MCOA finds more than VSM", "MCOA", ("VSM",), "M"),
    ),
    published=(published.SVSM_MCOA,),
    inclusive=True,
    notes=(
        "The paper's ten topics of computing are replaced by the eight English topics of the invented web.",
        "The threshold of relevance is not published; 0.3 lies below every average similarity it prints.",
        "OPS is ours: the paper has no best-first crawler by page relevance.",
        "Until example pages make the topics here, similarity is page relevance by the topic's words.",
    ),
)
