"""Letters on their way: put together, lost, sent again."""

from __future__ import annotations

from topicrawl.cluster.mail import MOST_HELD, RESEND_SECONDS, Boxes, Envelope, Resending
from topicrawl.shards.messages import Batch, Order


def letters(first: int, count: int) -> Batch:
    return Batch(first, [str(number).encode() for number in range(first, first + count)])


def test_letters_that_follow_are_put_together() -> None:
    boxes = Boxes()
    boxes.put([Envelope("a", "c", letters(1, 2)), Envelope("b", "c", letters(4, 1))])
    boxes.put([Envelope("a", "c", letters(3, 2)), Envelope("a", "d", letters(1, 1))])
    assert boxes.collect("c") == {"a": letters(1, 4), "b": letters(4, 1)}
    assert boxes.collect("c") == {}
    assert boxes.collect("d") == {"a": letters(1, 1)}


def test_letters_that_are_sent_again_replace_those_in_the_box() -> None:
    boxes = Boxes()
    boxes.put([Envelope("a", "c", letters(5, 2))])
    boxes.put([Envelope("a", "c", letters(1, 3))])
    assert boxes.collect("c") == {"a": letters(1, 3)}


def test_a_box_does_not_grow_without_end() -> None:
    boxes = Boxes()
    for first in range(1, 3 * MOST_HELD, 1000):
        boxes.put([Envelope("a", "c", letters(first, 1000))])
        assert sum(len(batch.letters) for batch in boxes._held["c"].values()) <= MOST_HELD


def test_letters_are_sent_again_when_acknowledgements_stand_still() -> None:
    now = 0.0
    resending = Resending(clock=lambda: now)
    sent = {"b": 9, "c": 4}
    order = Order(acknowledged={"b": 5, "c": 4})
    assert resending.checked(order, sent) is order
    now = RESEND_SECONDS / 2
    assert resending.checked(order, sent) is order
    now = RESEND_SECONDS
    again = resending.checked(order, sent)
    assert (again.taken, again.acknowledged) == ({"b": 5}, {"c": 4}), "c has all that was sent"
    assert resending.checked(order, sent) is order, "only once in that time"
    now = 3 * RESEND_SECONDS
    assert resending.checked(Order(acknowledged={"b": 6, "c": 4}), sent).taken == {}, "b goes on"
