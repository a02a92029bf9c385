"""What this app tells whoever listens, where no row's own signal says it."""

from django.dispatch import Signal

# Sent with `organisation` and `maintainer` by the one verification that counts.
organisation_verified = Signal()
# Sent with `user` and the `number` of sessions that the user ended.
sessions_ended = Signal()
