"""Topics that can be called by name, spelled as one would spell them on the command line."""

from __future__ import annotations

BUILTIN = {
    # Paper: IELP; its five topic words and their weights.
    "rainstorm": "rainstorm: rainstorm 0.8, disaster 0.5, rainfall 0.3, weather 0.1, meteorology 0.1",
    "暴雨": "暴雨: 暴雨 0.8, 灾害 0.5, 降雨 0.3, 天气 0.1, 气象 0.1",
    "tourism": "tourism: tourism 1, tourist 0.8, travel 0.7, sightseeing 0.6, scenic spot 0.6, hotel 0.4",
}
