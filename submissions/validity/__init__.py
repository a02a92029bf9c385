"""Validity checks of single files: from the shape of the answers alone, in a process that has no vault."""
