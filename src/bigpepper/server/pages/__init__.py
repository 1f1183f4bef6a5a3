"""The server's pages: forms and links that work without a script, and one small script that only refreshes at once.

`drawing`, `cards` and `track` draw, `scene` says what a table shows to one viewer (all of it from his `Seen`), the
templates lay it out, and the handlers of `lobby`, `tables`, `persons` and `reading` answer requests. No rules here.
"""
