"""A league's table: the goals of each team added up, the teams sorted, the best ones selected."""

import numpy as np
from cuox.cuda import compute

rng = np.random.default_rng(1)
teams = rng.integers(0, 12, 5000)
goals = rng.integers(0, 6, 5000)

# The matches by team, then one sum for each run of equal teams.
team, scored = compute.sort(teams, values=goals)
names = compute.unique(team)
ends = np.append(np.flatnonzero(np.diff(team)) + 1, team.size)
sums = np.diff(np.concatenate([[0], compute.scan(scored, lambda a, b: a + b)[ends - 1]]))

# The table: most goals first, places of equal ones as they were.
table, order = compute.sort(sums, lambda a, b: a > b, values=names)
limit = int(np.mean(sums))
good = compute.select(table, lambda a: a > limit)

expected = np.bincount(teams, goals, 12)
assert (sums == expected).all()
assert (table == np.sort(expected)[::-1]).all()
assert (good == table[table > limit]).all()
print("correct:", list(zip(order[:3].tolist(), table[:3].tolist())))
