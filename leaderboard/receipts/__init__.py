"""Signed receipts of published gradings: what was graded, with what, to what score, checkable offline."""
