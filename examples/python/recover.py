"""recover.py WEBHOOK_ID SINCE: sends again all deliveries that the endpoint missed since then, and prints all stored events.
Needs a key of scope admin."""

from botstead import arguments, call

webhook, begin = arguments("recover.py WEBHOOK_ID SINCE", 2)[:2]
for include in ("failed", "missing"):
    recovered, since = 0, begin
    while since is not None:
        chunk = call("POST", f"/webhooks/{webhook}/recover", {"since": since, "include": include})
        recovered += chunk["recovered"]
        since = chunk["nextSince"]
    print(f"recovered: {recovered} {include}")

# Store the last position to continue from it next time.
place = {}
while True:
    page = call("GET", "/events", limit=100, **place)
    for event in page["data"]:
        print(event["createdAt"], event["event"], event["id"])
    place = {"after": page["position"]}
    if page["nextCursor"] is None:
        break
print(f"continue after: {place['after']}")
