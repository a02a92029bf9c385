"""What Prometheus reads. Figures of the work come from the database, so that no worker needs a port; those of HTTP from
counters that the web processes share. No score and no word of a team is a label.
"""
