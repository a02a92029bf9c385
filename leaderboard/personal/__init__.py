"""What the site knows of a person: shown to them, deleted when they ask, and forgotten in time. docs/privacy.md."""
