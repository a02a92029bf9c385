"""What runs inside a warm sandbox, from the template to the graded child. The standard library alone."""
