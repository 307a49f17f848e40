"""Creates a key, uses it, and rotates it: both keys work for an hour. Needs a key of scope admin."""

from botstead import arguments, call

arguments("keys.py")

# Only this response has the key's text. Store it like a password, and print at most its prefix.
first = call("POST", "/keys", {"name": "nightly import", "scope": "write", "expiresInDays": 30})
me = call("GET", "/me", key=first["key"])
print(f"made: {first['prefix']}… for {me['organisation']['name']}, until {first['expiresAt']}")

second = call("POST", f"/keys/{first['id']}/rotate", {"overlapHours": 1})
me = call("GET", "/me", key=second["key"])
old = call("GET", f"/keys/{first['id']}")
print(f"rotated: {me['key']['prefix']}… takes its place; the old one works until {old['expiresAt']}")

# Revoke the old key once everything uses the new one.
old = call("DELETE", f"/keys/{first['id']}")
print(f"revoked: {first['prefix']}… at {old['revokedAt']}")
