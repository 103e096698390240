"""Built-in topics that are lists of terms, in the syntax of the command line.

Those that are ontologies are in `shipped`.
"""

from __future__ import annotations

BUILTIN = {
    # Paper: IELP; its five topic words and their weights.
    "rainstorm-words": "rainstorm-words: rainstorm 0.8, disaster 0.5, rainfall 0.3, weather 0.1, meteorology 0.1",
    "暴雨": "暴雨: 暴雨 0.8, 灾害 0.5, 降雨 0.3, 天气 0.1, 气象 0.1",
}
