#!/usr/bin/env bash
# Sends a message to a bot, waits until its run has ended, and prints the answer. A key of scope write.
. "$(dirname "$0")/botstead.sh"
message=${1:-When does the next release ship?}

# The newest bot will do here; your script knows whom it talks to.
bot=$(get '/bots?limit=1' | field id) || { echo 'There is no bot yet: POST /bots makes one.' >&2; exit 1; }
run=$(post /runs "{\"botId\":\"$bot\",\"message\":\"$message\"}" | field id)

state=queued
until [[ $state =~ ^(completed|failed|cancelled)$ ]]; do
  sleep 0.5 # a webhook for run.finished spares you asking: see webhook.sh
  state=$(get "/runs/$run" | field state)
done

get "/runs/$run/messages"
echo
