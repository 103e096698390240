"""The main text of a page: what it says, without navigation, advertising and the like.

tree        a small tree of what is shown
document    parser events ─► tree, and what the head says
formulas    MathML, MathJax and pictures of TeX as text
facts       what the page says of itself: its kind, title, author, date
furniture   elements that are no main text by their tag or name
weights     how much prose is in every element
bodies      elements that are named as the body of an article
part        the element that holds the main text, and what is left out inside it
text        the tree as plain text           markdown    the tree as Markdown
extract     all of it: HTML ─► MainText
"""
