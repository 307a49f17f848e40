#!/usr/bin/env bash
# recover.sh WEBHOOK_ID SINCE: sends again all deliveries that the endpoint missed since then, and prints all stored events.
# Needs a key of scope admin.
. "$(dirname "$0")/botstead.sh"

for what in failed missing; do
  since=$2
  while :; do
    answer=$(post "/webhooks/$1/recover" "{\"since\":\"$since\",\"include\":\"$what\"}")
    printf '%s\n' "$answer"
    since=$(printf '%s' "$answer" | field nextSince) || break # null after the last page
  done
done

# Store the last cursor to continue from it next time.
cursor=
while :; do
  page=$(get "/events?limit=100${cursor:+&after=$cursor}")
  printf '%s\n' "$page"
  cursor=$(printf '%s' "$page" | field nextCursor)
  [[ $page == *'"hasMore":true}' ]] || break
done
echo "continue after: $cursor"
