#!/usr/bin/env bash
# recover.sh WEBHOOK_ID SINCE: sends again all deliveries that the endpoint missed since then, and prints all stored events.
# Needs a key of scope admin.
. "$(dirname "$0")/botstead.sh"
needs 'recover.sh WEBHOOK_ID SINCE' "${1-}" "${2-}"

for what in failed missing; do
  since=$2
  while :; do
    answer=$(post "/webhooks/$1/recover" "{\"since\":\"$since\",\"include\":\"$what\"}")
    printf '%s\n' "$answer"
    since=$(printf '%s' "$answer" | field nextSince) || break # null after the last page
  done
done

# Store the last position to continue from it next time.
position=
while :; do
  page=$(get "/events?limit=100${position:+&after=$position}")
  printf '%s\n' "$page"
  position=$(printf '%s' "$page" | field position)
  printf '%s' "$page" | field nextCursor >/dev/null || break # null on the last page
done
echo "continue after: $position"
