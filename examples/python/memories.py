"""Creates three memories, then lists all memories page by page. Needs a key of scope write."""

from botstead import BotsteadError, arguments, call, rows

arguments("memories.py")

hours = {"Monday": "nine to five", "Tuesday": "nine to five", "Wednesday": "nine to noon"}
for day, value in hours.items():
    memory = {"scope": "organisation", "kind": "opening_hours", "subject": day, "value": value, "confidence": 0.9}
    call("POST", "/memories", memory)

# The client fetches each page when the loop reaches it. A page has 50 rows by default.
for memory in rows("/memories", limit=2, scope="organisation"):
    print(f"{memory['kind']}: {memory['subject']}: {memory['value']}")

try:
    call("POST", "/memories", {"scope": "organisation", "kind": "", "subject": "Thursday", "value": "closed"})
except BotsteadError as error:
    print(f"refused: {error.code}", *[detail["path"] for detail in error.details])
