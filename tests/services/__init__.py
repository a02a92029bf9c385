"""The services of production, started for tests and developers on free loopback ports, with files in a folder given."""
