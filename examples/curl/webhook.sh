#!/usr/bin/env bash
# webhook.sh URL: creates a webhook endpoint, sends a test, and waits until it is delivered. Needs a key of scope admin.
. "$(dirname "$0")/botstead.sh"
needs 'webhook.sh URL' "${1-}"

made=$(post /webhooks "{\"url\":\"$1\",\"events\":[\"run.finished\"]}")
id=$(printf '%s' "$made" | field id)
echo "secret: $(printf '%s' "$made" | field secret)" # only this response has it: store it like a password

delivery=$(post "/webhooks/$id/test" | field id)
state=pending
while [ "$state" = pending ]; do
  sleep 0.5
  state=$(get "/deliveries/$delivery" | field state)
done
echo "$state: $delivery"
