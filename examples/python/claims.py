"""Records three claims that bots may recall, then lists all there are, page by page. A key of scope write."""

from botstead import BotsteadError, call, rows

hours = {"Monday": "nine to five", "Tuesday": "nine to five", "Wednesday": "nine to noon"}
for day, value in hours.items():
    claim = {"scope": "organisation", "kind": "opening_hours", "subject": day, "value": value, "confidence": 0.9}
    call("POST", "/memories", claim)

# The next page is fetched when the loop gets there. Without a limit a page has 50 rows.
for claim in rows("/memories", limit=2, scope="organisation"):
    print(f"{claim['kind']}: {claim['subject']}: {claim['value']}")

try:
    call("POST", "/memories", {"scope": "organisation", "kind": "", "subject": "Thursday", "value": "closed"})
except BotsteadError as error:
    print(f"refused: {error.code}", *[detail["path"] for detail in error.details])
