#!/usr/bin/env bash
# Makes an inbound webhook, posts to it as another system would, and deletes it. A key of scope admin.
. "$(dirname "$0")/botstead.sh"
body=${1:-The crane stands still.}

bot=$(get '/bots?limit=1' | field id) || { echo 'There is no bot yet: POST /bots makes one.' >&2; exit 1; }
made=$(post /hooks "{\"botId\":\"$bot\",\"name\":\"Alerts\"}")
id=$(printf '%s' "$made" | field id)
secret=$(printf '%s' "$made" | field secret) # shown this once: the other system keeps it

# The other system's part: no key, a signature over the time and the body as it is sent, and a name of its own for it.
timestamp=$(date +%s)
signature=$(printf 'v1:%s:%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$secret" -r | cut -d ' ' -f 1)
run=$(curl -sS --fail-with-body --retry 3 "$api/hooks/$id/receive" -H 'content-type: text/plain' \
  -H "x-botstead-timestamp: $timestamp" -H "x-botstead-signature: $signature" -H "x-botstead-delivery: alert-17" \
  --data-raw "$body" | field runId)

echo "started: $run, trigger $(get "/runs/$run" | field trigger)"
remove "/hooks/$id" > /dev/null
