#!/usr/bin/env bash
# webhook.sh URL: makes a webhook endpoint, has a test sent to it, and waits until it is delivered. A key of scope admin.
. "$(dirname "$0")/botstead.sh"

made=$(post /webhooks "{\"url\":\"$1\",\"events\":[\"run.finished\"]}")
id=$(printf '%s' "$made" | field id)
echo "secret: $(printf '%s' "$made" | field secret)" # shown this once: keep it where you keep passwords

delivery=$(post "/webhooks/$id/test" | field id)
state=pending
while [ "$state" = pending ]; do
  sleep 0.5
  state=$(get "/deliveries/$delivery" | field state)
done
echo "$state: $delivery"
