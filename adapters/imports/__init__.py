"""Other tools' files → providers and models of models.yaml, as an edit (DOMAIN.md §2, §3; issue C).

`read_import` (reading.py) reads one file into an `Imported`, `as_change` (changes.py) makes it an edit of a file.
What a source does not state stays not stated; what could not be carried is listed with its place; a key that stands in
a source is neither carried nor repeated.
"""
