# What the scripts here have in common; they read it with ".". bash, curl and openssl.
set -euo pipefail
api="${BOTSTEAD_URL:-http://127.0.0.1:3000}/api/v1"

# get PATH, remove PATH: print the answer; a refusal is printed too, and ends the script.
get() { curl -sS --fail-with-body --retry 3 -H "authorization: Bearer ${2:-$BOTSTEAD_KEY}" "$api$1"; }
remove() { curl -sS --fail-with-body -X DELETE -H "authorization: Bearer $BOTSTEAD_KEY" "$api$1"; }

# post PATH [BODY]: curl's retries all carry the one Idempotency-Key, so what was done already is not done again.
post() {
  curl -sS --fail-with-body --retry 3 -H "authorization: Bearer $BOTSTEAD_KEY" -H 'content-type: application/json' \
    -H "idempotency-key: $(openssl rand -hex 16)" -d "${2-{\}}" "$api$1"
}

# quoted TEXT: as a text of JSON, with quotes around it: what somebody has typed in must not end it, or add a member.
quoted() {
  printf '%s' "$1" | sed 's/[\\"]/\\&/g' |
    awk 'NR > 1 { printf "\\n" } { gsub("\t", "\\t"); gsub("\r", "\\r"); printf "%s", $0 } BEGIN { printf "\"" } END { printf "\"" }'
}

# field NAME: the first text of that name in the JSON on standard input; fails when there is none. For more take jq.
field() {
  awk -v name="$1" 'match($0, "\"" name "\":\"[^\"]*\"") && !found {
    print substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
    found = 1
  } END { exit !found }'
}
