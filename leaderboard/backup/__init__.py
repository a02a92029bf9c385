"""Backup and restore: every table, every stored file and the copy of the signed checkpoints.

<folder>/manifest.json         written last; names everything below with its SHA-256
<folder>/tables/<table>.jsonl  one row in a line, portable between SQLite and PostgreSQL
<folder>/files.jsonl           one stored file in a line
<folder>/files/<store>/<key>   the files themselves
<folder>/checkpoints.jsonl     signed checkpoints, as kept beside the signing keys
<folder>/answers.sealed        only where asked for: the vault, encrypted

Never in it: signing keys, sessions, the secret key.
"""
