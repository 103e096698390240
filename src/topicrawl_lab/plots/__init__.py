"""Plots of a comparison as SVG text, without a plotting library.

Every strategy has a number, and with it a colour and a dash, in all plots of one comparison. Names stand at the lines
they name. Colours come from the style sheet through class names; `files` puts them into drawings that stand alone.
"""
