"""Code of a submission beside that of others and beside notebooks that maintainers loaded.

`source.py` makes code of bytes, `tokens.py` tokens that no renaming changes, `winnow.py` fingerprints of these;
`candidates.py` finds what may be alike among thousands, `overlap.py` compares two files. All these are pure.
"""
