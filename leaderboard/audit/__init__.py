"""The audit log: who signed in from where, and who changed whose rights. Decisions have a record of their own."""
