#!/usr/bin/env bash
# Makes a key, uses it, and replaces it by another while both work for an hour. A key of scope admin.
. "$(dirname "$0")/botstead.sh"

# The key's text is in this answer and in no other. Keep it where you keep passwords; print its prefix at most.
first=$(post /keys '{"name":"nightly import","scope":"write","expiresInDays":30}')
id=$(printf '%s' "$first" | field id)
get /me "$(printf '%s' "$first" | field key)" >/dev/null
echo "made: $(printf '%s' "$first" | field prefix)…, until $(printf '%s' "$first" | field expiresAt)"

second=$(post "/keys/$id/rotate" '{"overlapHours":1}')
get /me "$(printf '%s' "$second" | field key)" >/dev/null
echo "rotated: $(printf '%s' "$second" | field prefix)… takes its place; the old one works until $(get "/keys/$id" | field expiresAt)"

# When everything uses the new one, the old one need not wait for its end.
echo "revoked: $(remove "/keys/$id" | field revokedAt)"
