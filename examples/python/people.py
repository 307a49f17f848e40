"""Invites one person by mail, then two more in one atomic batch. Needs a key of scope admin."""

from botstead import BotsteadError, arguments, call, rows

first, *others = arguments("people.py EMAIL [EMAIL …]", 1)

try:
    invitation = call("POST", "/invitations", {"email": first, "role": "admin"})
    print(f"invited: {invitation['email']} as {invitation['role']}, until {invitation['expiresAt']}")
except BotsteadError as error:
    if error.code != "conflict":  # already a member or invited: nothing to do
        raise

operations = [{"id": email, "method": "POST", "path": "/invitations", "body": {"email": email}} for email in others]
if operations:
    for result in call("POST", "/batch", {"atomic": True, "operations": operations})["results"]:
        print(f"in the batch: {result['id']} {result['status']}")

for invitation in rows("/invitations"):
    print(f"open: {invitation['email']} {invitation['role']}")
