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

# Options of each request. curl repeats a request after 429 and 5xx. A 429 of the API has `Retry-After: 60`, which curl obeys: with
# a maximum of 30 seconds it prints the refusal at once instead of waiting without a word. A 503 is repeated.
again=(--retry 3 --retry-max-time 30)

# get PATH, remove PATH: print the response. A refusal is printed too and ends the script.
get() { curl -sS --fail-with-body "${again[@]}" -H "authorization: Bearer ${2:-$BOTSTEAD_KEY}" "$api$1"; }
remove() { curl -sS --fail-with-body -X DELETE -H "authorization: Bearer $BOTSTEAD_KEY" "$api$1"; }

# post PATH [BODY]: curl's retries use the same Idempotency-Key, so that a repeated request changes nothing.
post() {
  curl -sS --fail-with-body "${again[@]}" -H "authorization: Bearer $BOTSTEAD_KEY" -H 'content-type: application/json' \
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
