"""SVSM-MCOA: five crawlers, ten topics, 3 seeds each, 5,000 pages (section 4, Tables 3 and 4, Figs. 3–7)."""

from topicrawl_lab.reproduce import published
from topicrawl_lab.reproduce.design import Claim, Crawler, Setup, Subject

OTHERS = ("BF", "VSM", "SSRM", "MCOA")
ENGLISH = (
    *("rainstorm disaster", "tourism", "football", "cooking"),
    *("astronomy", "finance", "medicine", "gardening"),
)
CHINESE = ("暴雨灾害", "旅游")
ROWS = (*range(100, 1001, 100), *range(1500, 5001, 500))
LIMIT = "page_bytes=100000"
RELEVANT = 0.4
"""th: not published, but not above the smallest printed average similarity of relevant pages, .425."""
SETUP = Setup(
    paper="svsm_mcoa",
    title="SVSM-MCOA: a crawler by a semantic vector space model and membrane computing",
    subjects=tuple(Subject(topic, topic, threshold=RELEVANT) for topic in (*ENGLISH, *CHINESE)),
    crawlers=(
        Crawler("BF", ("bfs",)),
        Crawler("VSM", (f"vsm[{LIMIT}]",)),
        Crawler("SSRM", (f"ssrm[{LIMIT}]",)),
        Crawler("MCOA", (f"mcoa[{LIMIT}]",)),
        Crawler("SVSM-MCOA", (f"svsm_mcoa[{LIMIT}]",)),
        Crawler("VSM target", (f"svsm_mcoa[target=vsm,{LIMIT}]",), ours=True),
        Crawler("whole SVSM", (f"svsm_mcoa[lengths=words,least_alike=0.8,{LIMIT}]",), ours=True),
    ),
    seeds=3,
    budget=5000,
    repeats=2,
    rows=ROWS,
    measures=("M", "HR", "AS"),
    claims=(
        Claim("SVSM-MCOA finds more relevant pages than the other four", "SVSM-MCOA", OTHERS, "M"),
        Claim("… at every number of pages: already at 100", "SVSM-MCOA", OTHERS, "M", 100 / 5000),
        Claim("… and at 1,000", "SVSM-MCOA", OTHERS, "M", 1000 / 5000),
        Claim("SVSM-MCOA's relevant pages are more similar to the topic", "SVSM-MCOA", OTHERS, "AS"),
        Claim("Meaning beats equal words: SVSM-MCOA finds more than MCOA", "SVSM-MCOA", ("MCOA",), "M"),
        Claim("Weights by MCOA beat equal ones: MCOA finds more than VSM", "MCOA", ("VSM",), "M"),
        Claim(
            "Weights by MCOA err less than equal quarters (Figs. 3–4): SVSM", "SVSM-MCOA", (), "errors saved"
        ),
        Claim("… and VSM", "MCOA", (), "errors saved"),
    ),
    published=(published.SVSM_MCOA,),
    topic_pages=20,
    training=1000,
    inclusive=True,
    notes=(
        "The paper's ten topics of computing are replaced by the ten topics of the invented web, two of them Chinese, "
        "of which WordNet knows nothing.",
        "A topic is twenty pages that the invented web knows to be about it; the paper took a search engine's first.",
        "The threshold of relevance is not published. A mean of similarities of at least th is at least th, so th is "
        "at most .425, the smallest AS of Table 4; 0.4 is used for all topics. Of the pages that BF fetches, nearly "
        "all about the topic reach it, and 9 % of the others, in English. In Chinese, where a word is one character, "
        "94 % and 83 % reach it: look at the harvest by truth there.",
        "The judge is VSM, as in the paper; VSM and MCOA are steered by the same measure.",
        "Weights are learned for each topic by MCOA with the published mutation, on another web.",
        "Which measure of pages these weights predict is not published: by SVSM-MCOA here it is the crawler's own; "
        "VSM target is the same crawler with the other reading.",
        "Whole SVSM is ours: SVSM whose vectors also have the words that are like no other, and likeness from 0.8 on.",
    ),
)
