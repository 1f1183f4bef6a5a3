"""A table in the terminal: the game being played, what is said of it, and two faces of it (a screen, plain lines)."""
