"""The core of capdeck: what a models.yaml says, what follows from it, and how to change it.

Knows no screen and no network; `adapters` and `tui` import it, never the other way round.
"""
