#!/usr/bin/env bash
# Creates a hook, posts to it as another system would, and deletes it. Needs a key of scope admin.
. "$(dirname "$0")/botstead.sh"
needs 'hook.sh MESSAGE' "${1-}"
body=$1

bot=$(get '/bots?limit=1' | field id) || { echo 'There is no bot yet. Create one with POST /bots.' >&2; exit 1; }
made=$(post /hooks "{\"botId\":\"$bot\",\"name\":\"Alerts\"}")
id=$(printf '%s' "$made" | field id)
secret=$(printf '%s' "$made" | field secret) # only this response has it: store it in the other system

# The other system's part: no key, but a signature over the time and the raw body, and a delivery id of its own.
timestamp=$(date +%s)
signature=$(printf 'v1:%s:%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$secret" -r | cut -d ' ' -f 1)
run=$(send "$api/hooks/$id/receive" -H 'content-type: text/plain' \
  -H "x-botstead-timestamp: $timestamp" -H "x-botstead-signature: $signature" -H "x-botstead-delivery: alert-17" \
  --data-raw "$body" | field runId)

echo "started: $run, trigger $(get "/runs/$run" | field trigger)"
remove "/hooks/$id" > /dev/null
