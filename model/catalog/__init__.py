"""The curated catalog: what each vendor's model can do, with a source and a date for every row (DOMAIN.md §9)."""

from model.catalog.catalog import Catalog, Match, MatchedAs, builtin
from model.catalog.errors import CatalogError, DuplicateRow, InvalidRow, MissingRow
from model.catalog.rows import CatalogRow, Retirement, Vendor

__all__ = [
    "Catalog",
    "CatalogError",
    "CatalogRow",
    "DuplicateRow",
    "InvalidRow",
    "Match",
    "MatchedAs",
    "MissingRow",
    "Retirement",
    "Vendor",
    "builtin",
]
