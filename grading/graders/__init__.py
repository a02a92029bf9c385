"""Everything that runs inside the sandbox: reading, checking and scoring one CSV. Imports only numpy."""
