"""Learning environments: what a seat sees as arrays, and the games in the forms that other libraries know.

Nothing here states a rule. `encode` turns an Observation into arrays, `truth` (for critics only) a State; `vector`
steps thousands of rounds in one compiled call. Needs NumPy; the adapters need the extra `bigpepper[envs]`.
"""
