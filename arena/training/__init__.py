"""Candidate for programs that learn to play it.

`candidate_v0` is a PettingZoo environment, which needs the extra `training`; `encoding` makes what it observes, with
numpy alone. Nothing else of `arena` imports this package.
"""
