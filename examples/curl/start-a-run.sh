#!/usr/bin/env bash
# Sends a message to a bot, waits until the run has ended, and prints the answer. Needs a key of scope write.
. "$(dirname "$0")/botstead.sh"
needs 'start-a-run.sh MESSAGE' "${1-}"
message=$1

# Uses the newest bot. Your script knows the id of its bot.
bot=$(get '/bots?limit=1' | field id) || { echo 'There is no bot yet. Create one with POST /bots.' >&2; exit 1; }
run=$(post /runs "{\"botId\":\"$bot\",\"message\":$(quoted "$message")}" | field id)

state=queued
while [[ $state =~ ^(queued|running)$ ]]; do
  state=$(get "/runs/$run?wait=25" | field state) # responds once the state is neither
done

get "/runs/$run/messages"
echo
