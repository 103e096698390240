"""Plots of a comparison as SVG text, without a plotting library.

The number of a strategy decides its colour and dash in all plots of a comparison. Names are at the ends of lines.
Colours come from the style sheet by class names; `files` embeds them in standalone SVG files.
"""
