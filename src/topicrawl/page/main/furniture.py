"""Elements that are no main text by their tag, role or name: navigation, advertising, what is said about a page.

`is_furniture` is about every kind of page, `is_beside_article` and `is_comments` about articles: what a page shows
around and inside an article (related articles, captions, comments) is what other pages, such as a forum, are made of.
"""

from __future__ import annotations

import re
from collections.abc import Set

from topicrawl.page.main.tree import Node

_TAGS = frozenset(("nav", "footer", "aside", "menu", "dialog", "search"))
_ROLES = frozenset(
    """
    alert alertdialog banner complementary contentinfo dialog menu menubar navigation search toolbar tooltip
    """.split()  # noqa: SIM905
)
_BESIDE_TAGS = frozenset(("address", "fieldset", "figcaption", "figure", "form", "summary"))
_NAMED = frozenset(("center", "details", "div", "dl", "header", "li", "ol", "p", "section", "table", "ul"))
"""Blocks whose names are read; those of quotations, headings, code and cells say how they look, or what they say."""
_NAMED_INLINE = frozenset(("a", "b", "label", "small", "span", "strong", "time"))
_NAMED_BOTH = _NAMED | _NAMED_INLINE


def _names(words: str) -> re.Pattern[str]:
    """Matches a name that has one of these as a word; a word that ends in * begins one, and - may be absent."""
    ways = (
        word.replace("-", "[-_ ]?").replace("*", "") + ("" if word.endswith("*") else "(?![a-z])")
        for word in words.split()
    )
    return re.compile(rf"(?<![a-z])(?:{'|'.join(ways)})")


_FURNITURE = _names(
    """
    nav navs navbar navigation* menu* bread-crumb* crumbs side-bar* rail foot footer* masthead site-header
    global-header top-bar
    toolbar* tool-box* pagination* pager skip skip-link* skip-to* search search-form* search-box* search-bar* log-in*
    sign-up* account share sharing* share-bar* share-this* share-button* share-link* social newsletter* subscri* cookie*
    consent* gdpr* advert* ad ads adv dfp* sponsor* banner* outbrain* taboola* zergnet*
    revcontent* add-this* copyright* no-print*
    """
)
LONGEST_NOTICE = 600
"""Characters of what is furniture by its text: a line that leads home, or a notice about cookies."""
MOST_PARTS = 100
"""Elements and texts that such a line or notice has."""
_HOME = re.compile(
    r"\W*(?:home(?:page)?|start(?:seite)?|accueil|inicio|início|главная|首页|首頁|ホーム)\W*", re.IGNORECASE
)
_LEVEL = re.compile(r"\s*[»›>/→|·•]")
"""Signs between the levels of a site."""
_COOKIES = re.compile(
    r"[^.!?]{0,60}\b(?:uses?|using|verwende[nt]|nutzt|nutzen|utilise|utilisons|utiliza|utilizamos|usiamo|utilizza"
    r"|gebruikt|gebruiken|используе[тм])\s[^.!?]{0,40}\bcookies?\b",
    re.IGNORECASE,
)
"""How a notice about cookies begins."""
_BOXES = _names("pop-up* modal* overlay*")
"""Boxes that open on a click, or by themselves: part of what a page says, or advertising."""
_BESIDE = _names(
    """
    related* recirc* recommend* promo* by-line* author* tag tags meta meta-data* widget* teaser* more-from* more-on*
    more-stories* more-in* more-posts* read-more* read-next* read-also* also* trending* popular* most-* breaking*
    caption* credit* gallery* slideshow* carousel* slider* rating* poll timestamp* time date published* posted*
    entry-utility* entry-meta* entry-footer* entry-info* post-info* post-meta* post-footer* post-date* post-author*
    disclaimer* legal* bio profile* follow* donat* paywall* premium* upsell* cta call-to* kicker* eyebrow*
    head-line* dek subtitle* sub-head* standfirst* topic topics categor* label* badge* facebook* pinterest*
    whatsapp* prev previous next feedback* notice* alert* warning* tooltip* infobox* partner* affiliate*
    product-card* shop* coupon* deal* jp-* print hidden* hide* invisible* search* share* skip* account*
    """
)
_SAYS_NOTHING = re.compile(
    r"(?<!\S)(?:"
    r"(?:no|has|have|with|without|not)[-_]\S+"  # what is beside it
    r"|field-{1,2}label-{1,2}(?:hidden|above|inline|visually[-_]hidden)"  # how Drupal shows the label of a field
    r"|elementor-widget(?:-(?:wrap|container|text-editor|heading|theme-post-content))?"  # all that Elementor makes
    r")(?!\S)"
)
"""Names that do not say what is in an element."""
_OF_A_POST = re.compile(r"(?<!\S)(?:category|tag|author|format|status)-\S+")
"""Names that tell what a post of WordPress is about."""
_POST = re.compile(r"(?<!\S)(?:hentry|type-post|post-\d+)(?!\S)")
_SIGNS = _names("header-link edit-section sr-only visually* screen-reader*")
"""Names of signs inside text: a link to a heading, words for those who hear the page."""
_COMMENTS = _names(
    """
    comment comments comment-list* comment-area* comment-box* comment-form* comment-section* disqus* respond reply*
    replies* kommentar* comentario* commentaire* commenti cmt
    """
)


def is_furniture(node: Node) -> bool:
    """Whether an element is no main text on any kind of page."""
    if node.tag in _TAGS or node.attributes.get("role", "").lower() in _ROLES:
        return True
    if _is_named(node, _NAMED, _FURNITURE) or _is_named(node, _NAMED_INLINE, _SIGNS):
        return True
    return (
        node.tag in _NAMED and node.characters <= LONGEST_NOTICE and (_is_trail(node) or _is_of_cookies(node))
    )


def _is_trail(node: Node) -> bool:
    """Whether an element is a line of links from the home page to this one."""
    if "breadcrumb" in node.attributes.get("itemtype", "").lower():
        return True
    link, at = node, node
    while link.tag != "a":
        at = link
        first = next((child for child in link.children if not isinstance(child, str) or child.strip()), "")
        if isinstance(first, str):
            return False
        link = first
    said = _text(link)
    return _HOME.fullmatch(said) is not None and (
        at.tag == "li" or _LEVEL.match(_text(node).partition(said)[2]) is not None
    )


def _is_of_cookies(node: Node) -> bool:
    """Whether an element says first of all that the site uses cookies, and asks something: it has a link."""
    return node.linked > 0 and _COOKIES.match(_text(node)) is not None


def _text(node: Node) -> str:
    """The text inside a small element; empty where it has many parts."""
    pieces, left = list[str](), list[Node | str]([node])
    for _ in range(MOST_PARTS):
        if not left:
            return "".join(pieces)
        if isinstance(part := left.pop(), str):
            pieces.append(part[:LONGEST_NOTICE])
        elif len(part.children) > MOST_PARTS:
            return ""
        else:
            left += reversed(part.children)
    return ""


def is_box(node: Node) -> bool:
    """Whether an element is shown above the page, on a click or by itself."""
    return _is_named(node, _NAMED, _BOXES)


def is_beside_article(node: Node) -> bool:
    """Whether an element is no main text of an article."""
    if node.tag in _BESIDE_TAGS:
        return True
    return _is_named(node, _NAMED_BOTH, _BESIDE)


def is_named_beside(name: str) -> bool:
    """Whether a name alone says that an element is no main text of an article."""
    return any(names.search(name) for names in (_FURNITURE, _BOXES, _BESIDE, _COMMENTS))


def is_comments(node: Node) -> bool:
    """Whether an element holds what readers wrote below an article."""
    return _is_named(node, _NAMED, _COMMENTS)


def _is_named(node: Node, tags: Set[str], names: re.Pattern[str]) -> bool:
    """Whether an element has one of these tags and names; what is embedded from a social network is quoted."""
    name = _SAYS_NOTHING.sub("", node.name) if node.tag in tags else ""
    if _POST.search(name):
        name = _OF_A_POST.sub("", name)
    return bool(name) and names.search(name) is not None and "embed" not in name
