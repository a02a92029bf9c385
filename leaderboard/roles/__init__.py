"""Roles of the database, one for each kind of process, each with what its work needs and nothing else."""
