"""What a second reading may cost. Pure."""

from dataclasses import dataclass

from leaderboard.second_reading.prompt import MAX_ANSWER_TOKENS, Messages

# A token has some four characters; fewer in code. Asked before: too many rather than too few.
CHARS_PER_TOKEN = 3
# Taken after, whatever the endpoint says it was: one that counts nothing must not be free.
MOST_CHARS_PER_TOKEN = 8


@dataclass
class Purse:
    """Tokens of one submission, over all attempts."""

    budget: int
    spent: int

    def has_for(self, messages: Messages) -> bool:
        return self.spent + _chars(messages) // CHARS_PER_TOKEN + MAX_ANSWER_TOKENS <= self.budget

    def pay(self, messages: Messages, answer: str, counted: int | None) -> None:
        least = (_chars(messages) + len(answer)) // MOST_CHARS_PER_TOKEN
        self.spent += max(least, counted or 0)


def _chars(messages: Messages) -> int:
    return sum(len(message["content"]) for message in messages)
