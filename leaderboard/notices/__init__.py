"""Telling people and programs what happened: who hears of what, the outbox, mail and webhooks."""
