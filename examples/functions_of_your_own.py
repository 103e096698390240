"""Which links are followed, where pages come from and what is done with them, decided by functions of your own:
`python examples/functions_of_your_own.py`.
"""

import topicrawl

PAGES = {
    "http://notes.test/": "<title>Storm notes</title><a href='/flood'>Floods</a> <a href='/old/1990'>1990</a>",
    "http://notes.test/flood": "<title>Floods</title><p>What a storm leaves: flood, debris, mud.</p>",
}


def not_the_old_ones(link: topicrawl.Link) -> bool:
    return "/old/" not in link.url


def count_words(visit: topicrawl.Visit) -> None:
    assert visit.page is not None
    print(f"{len(visit.page.text.split()):4} words  {visit.title}")


def main() -> None:
    crawl = topicrawl.crawl_sync(
        topic="storm, flood",
        seeds="http://notes.test/",
        web="invented:7",
        fetch=PAGES.get,
        filter_link=not_the_old_ones,
        on_page=count_words,
    )
    print(f"{len(list(crawl))} visits")


if __name__ == "__main__":
    main()
