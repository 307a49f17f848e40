"""Makes a key, uses it, and replaces it by another while both work for an hour. A key of scope admin."""

from botstead import call

# Its text is in this answer and in no other. Keep it where you keep passwords; print its prefix at most.
first = call("POST", "/keys", {"name": "nightly import", "scope": "write", "expiresInDays": 30})
me = call("GET", "/me", key=first["key"])
print(f"made: {first['prefix']}… for {me['organisation']['name']}, until {first['expiresAt']}")

second = call("POST", f"/keys/{first['id']}/rotate", {"overlapHours": 1})
me = call("GET", "/me", key=second["key"])
old = call("GET", f"/keys/{first['id']}")
print(f"rotated: {me['key']['prefix']}… takes its place; the old one works until {old['expiresAt']}")

# When everything uses the new one, the old one need not wait for its end.
old = call("DELETE", f"/keys/{first['id']}")
print(f"revoked: {first['prefix']}… at {old['revokedAt']}")
