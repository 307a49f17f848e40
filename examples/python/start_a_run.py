"""Sends a message to a bot, waits until its run has ended, and prints the answer. A key of scope write."""

import sys

from botstead import call, rows

message = sys.argv[1] if len(sys.argv) > 1 else "When does the next release ship?"

# The newest bot will do here; your program knows whom it talks to.
bot = next(rows("/bots", limit=1), None)
if bot is None:
    sys.exit("There is no bot yet: POST /bots makes one.")

run = call("POST", "/runs", {"botId": bot["id"], "message": message})
while run["state"] in ("queued", "running"):
    run = call("GET", f"/runs/{run['id']}", wait=25)  # answers as soon as it is neither
if run["state"] != "completed":
    sys.exit(f"The run is {run['state']}: {run['error']}")

for said in rows(f"/runs/{run['id']}/messages"):
    if said["author"] == "bot":
        print(said["text"])
