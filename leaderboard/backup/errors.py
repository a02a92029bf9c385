class BackupError(Exception):
    """For the operator: what is wrong with which file or place, and what to do."""
