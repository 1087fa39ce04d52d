"""Visits of users to a page, sorted by user and time, become sessions: one ends when a user is away for longer than a
limit.

Each thread looks at one visit. The threads of the whole grid wait for each other between the two passes.
"""

import numpy as np
from cuox.numba import cuda

LIMIT = np.timedelta64(1, "h").astype("timedelta64[s]").astype(np.int64)


@cuda.jit
def find_sessions(users, times, sessions):
    i = cuda.grid(1)
    if i < users.size:
        is_first = i == 0 or users[i] != users[i - 1] or times[i] - times[i - 1] > LIMIT
        sessions[i] = i if is_first else -1
    cuda.cg.this_grid().sync()
    if i < users.size and sessions[i] == i:
        # The first visit of a session gives its number to the visits behind it.
        following = i + 1
        while following < users.size and sessions[following] == -1:
            sessions[following] = i
            following += 1


rng = np.random.default_rng(7)
users = np.sort(rng.integers(0, 12, 500))
times = rng.integers(0, 40 * 3600, 500)
order = np.lexsort((times, users))
users, times = users[order], times[order]

starts = np.ones(500, bool)
starts[1:] = (users[1:] != users[:-1]) | (np.diff(times) > LIMIT)
expected = np.maximum.accumulate(np.where(starts, np.arange(500), 0))

sessions = cuda.device_array(500, np.int64)
find_sessions[4, 128](cuda.to_device(users), cuda.to_device(times), sessions)
assert (sessions.copy_to_host() == expected).all()
print("correct:", int(starts.sum()), "sessions")
