"""Sends a message to a bot, waits until the run has ended, and prints the answer. Needs a key of scope write."""

import sys

from botstead import arguments, call, rows

message = arguments("start_a_run.py MESSAGE", 1)[0]

# Uses the newest bot. Your program knows the id of its bot.
bot = next(rows("/bots", limit=1), None)
if bot is None:
    sys.exit("There is no bot yet. Create one with POST /bots.")

run = call("POST", "/runs", {"botId": bot["id"], "message": message})
while run["state"] in ("queued", "running"):
    run = call("GET", f"/runs/{run['id']}", wait=25)  # responds once the state is neither
if run["state"] != "completed":
    sys.exit(f"The run is {run['state']}: {run['error']}")

for said in rows(f"/runs/{run['id']}/messages"):
    if said["author"] == "bot":
        print(said["text"])
