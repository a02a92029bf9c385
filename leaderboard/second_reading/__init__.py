"""An llm reads the logs and code of a submission with the benchmark's rules in hand. Off until an endpoint is set.

`questions.toml` holds the questions, `pieces.py` cuts texts, `prompt.py` puts both together, `endpoint.py` asks,
`answers.py` believes nothing that it cannot find in the text. `stage.py` writes; nothing of it is ever public.
"""
