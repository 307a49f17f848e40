# Functions of the scripts here, which source this file. Needs bash, curl and openssl.
set -euo pipefail
api="${BOTSTEAD_URL:-http://127.0.0.1:3000}/api/v1"

# needs USAGE ARGUMENT...: ends the script with one line of usage if the key or an argument is missing.
needs() {
  local usage=$1 each
  shift
  for each in "${BOTSTEAD_KEY-}" "$@"; do
    [ -n "$each" ] || { echo "usage: BOTSTEAD_KEY=bsk_… $usage" >&2; exit 2; }
  done
}

# send ARGUMENT...: prints the response, as curl does. A failed connection and a 503 are repeated three times at most, and so is a 429
# after the rest of the rate limit's window, which is `t` of RateLimit. `curl --retry` would wait the 60 seconds of Retry-After.
send() {
  local attempt code response rest end=$'\r\n\r\n'
  for attempt in 1 2 3 4; do
    response=$(curl -sS --fail-with-body --suppress-connect-headers -D - "$@") && code=0 || code=$?
    rest=$attempt
    case "$code $response" in
      22*'"rate_limited"'*) rest=$(awk -F ';t=' 'tolower($0) ~ /^ratelimit:/ { print $2 + 0 }' <<< "$response") ;;
      22*'"unavailable"'* | 7\ * | 28\ * | 52\ * | 56\ *) ;;
      *) break ;;
    esac
    [ "$attempt" = 4 ] || sleep "$rest"
  done
  printf '%s' "${response#*"$end"}"
  return "$code"
}

# get PATH, remove PATH: print the response. A refusal is printed too and ends the script.
get() { send -H "authorization: Bearer ${2:-$BOTSTEAD_KEY}" "$api$1"; }
remove() { curl -sS --fail-with-body -X DELETE -H "authorization: Bearer $BOTSTEAD_KEY" "$api$1"; }

# post PATH [BODY]: a repeated request has the same Idempotency-Key, so that it changes nothing.
post() {
  send -H "authorization: Bearer $BOTSTEAD_KEY" -H 'content-type: application/json' \
    -H "idempotency-key: $(openssl rand -hex 16)" -d "${2-{\}}" "$api$1"
}

# quoted TEXT: encodes the text as a JSON string, so that input cannot end the string or add members.
quoted() {
  printf '%s' "$1" | sed 's/[\\"]/\\&/g' |
    awk 'NR > 1 { printf "\\n" } { gsub("\t", "\\t"); gsub("\r", "\\r"); printf "%s", $0 } BEGIN { printf "\"" } END { printf "\"" }'
}

# field NAME: prints the first string of that name in the JSON on standard input; fails if there is none. Use jq for more.
field() {
  awk -v name="$1" 'match($0, "\"" name "\":\"[^\"]*\"") && !found {
    print substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
    found = 1
  } END { exit !found }'
}
