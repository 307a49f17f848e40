#!/usr/bin/env bash
# Sends a message to a bot, waits until its run has ended, and prints the answer. A key of scope write.
. "$(dirname "$0")/botstead.sh"
message=${1:-When does the next release ship?}

# The newest bot will do here; your script knows whom it talks to.
bot=$(get '/bots?limit=1' | field id) || { echo 'There is no bot yet: POST /bots makes one.' >&2; exit 1; }
run=$(post /runs "{\"botId\":\"$bot\",\"message\":$(quoted "$message")}" | field id)

state=queued
while [[ $state =~ ^(queued|running)$ ]]; do
  state=$(get "/runs/$run?wait=25" | field state) # answers as soon as it is neither
done

get "/runs/$run/messages"
echo
