#!/usr/bin/env bash
# Creates three memories, then lists all memories page by page. Needs a key of scope write.
. "$(dirname "$0")/botstead.sh"
needs 'memories.sh'

while IFS='|' read -r day hours; do
  post /memories "{\"scope\":\"organisation\",\"kind\":\"opening_hours\",\"subject\":\"$day\",\"value\":\"$hours\"}" >/dev/null
done <<'DAYS'
Monday|nine to five
Tuesday|nine to five
Wednesday|nine to noon
DAYS

cursor=
while :; do
  page=$(get "/memories?limit=2&scope=organisation${cursor:+&cursor=$cursor}")
  printf '%s\n' "$page"
  cursor=$(printf '%s' "$page" | field nextCursor) || break # null on the last page
done
