"""What is written to logs, as JSON or as lines: each with the request, the submission and the task it belongs to."""
