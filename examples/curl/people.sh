#!/usr/bin/env bash
# people.sh EMAIL EMAIL EMAIL: invites the first by mail, and the others in one atomic batch.
# Needs a key of scope admin.
. "$(dirname "$0")/botstead.sh"
needs 'people.sh EMAIL EMAIL EMAIL' "${1-}" "${2-}" "${3-}"

post /invitations "{\"email\":\"$1\",\"role\":\"admin\"}"
echo
post /batch "{\"atomic\":true,\"operations\":[
  {\"id\":\"$2\",\"method\":\"POST\",\"path\":\"/invitations\",\"body\":{\"email\":\"$2\"}},
  {\"id\":\"$3\",\"method\":\"POST\",\"path\":\"/invitations\",\"body\":{\"email\":\"$3\"}}]}"
echo
get /invitations
echo
