"""Against a real S3 server on a loopback port."""
