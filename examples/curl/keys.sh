#!/usr/bin/env bash
# Creates a key, uses it, and rotates it: both keys work for an hour. Needs a key of scope admin.
. "$(dirname "$0")/botstead.sh"
needs 'keys.sh'

# Only this response has the key's text. Store it like a password, and print at most its prefix.
first=$(post /keys '{"name":"nightly import","scope":"write","expiresInDays":30}')
id=$(printf '%s' "$first" | field id)
get /me "$(printf '%s' "$first" | field key)" >/dev/null
echo "made: $(printf '%s' "$first" | field prefix)…, until $(printf '%s' "$first" | field expiresAt)"

second=$(post "/keys/$id/rotate" '{"overlapHours":1}')
get /me "$(printf '%s' "$second" | field key)" >/dev/null
echo "rotated: $(printf '%s' "$second" | field prefix)… takes its place; the old one works until $(get "/keys/$id" | field expiresAt)"

# Revoke the old key once everything uses the new one.
echo "revoked: $(remove "/keys/$id" | field revokedAt)"
