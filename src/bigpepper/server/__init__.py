"""The table server: people, programs and bots play over a network. Its parts, in dependency order:

`protocol` and `events` (data) ← `table` (what has happened, folded) ← `seen` (what one viewer may know) ← `frames`
(what is sent to him) and `decide` (what a command brings about); `store` and `live` keep and announce;
`service` joins all of them, `people` knows names and tokens. Only `store`, `live`, `service` and `people` wait for
anything; clock and randomness are passed in.
"""
