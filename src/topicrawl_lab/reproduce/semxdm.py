"""SemXDM: two crawlers, one article to be cross-referenced, 1,200 seeds, 9 rounds of 2,000 (section 4, Figs. 4–6)."""

from topicrawl_lab.reproduce.design import Claim, Crawler, Setup, Subject

SETUP = Setup(
    paper="semxdm",
    title="SemXDM: a crawler by context graph and a classifier that learns as it crawls",
    subjects=(Subject("economic news", "finance", threshold=0.25),),
    crawlers=(
        Crawler("Best-N-First", ("best_n_first",)),
        Crawler("SemXDM", ("semxdm",)),
        Crawler("Context graph", ("context_graph",), ours=True),
        Crawler("BFS", ("bfs",), ours=True),
        Crawler("OPS", ("ops",), ours=True),
    ),
    seeds=1200,
    budget=15_000,
    repeats=10,
    rows=(3000, 6000, 9000, 12_000, 15_000),
    measures=("M", "HR", "AR"),
    topic_pages=1,
    by_terms=True,
    claims=(
        Claim(
            "SemXDM's harvest rate is higher after 5 of 9 rounds", "SemXDM", ("Best-N-First",), "HR", 5 / 9
        ),
        Claim("SemXDM's average similarity is higher at the end", "SemXDM", ("Best-N-First",), "AR"),
    ),
    notes=(
        "The paper prints no numbers, only figures, of one crawl for one article.",
        "A round is 2,000 attempts; the budget here is what 9 rounds brought, 15,000 pages.",
        "The article is a page of the invented web about the subject that is no seed; HR counts pages whose cosine "
        "with it is above 0.25, AR is the mean cosine, both by one measure for all crawlers.",
        "No training set: the classifier learns from the article and from what is crawled.",
        "BFS, OPS and the context graph are not in the paper; they are a baseline for the invented web.",
    ),
)
