#!/usr/bin/env bash
# verify-delivery.sh FILE: whether the raw body in FILE is Botstead's; SECRET, TIMESTAMP and SIGNATURE in the environment.
# For a look at your desk: its comparison is not in constant time, and the secret shows in the list of processes.
set -euo pipefail

age=$(($(date +%s) - TIMESTAMP))
[ "${age#-}" -le 300 ] || { echo "refused: timestamp"; exit 1; }
expected=$({ printf 'v1:%s:' "$TIMESTAMP"; cat "$1"; } | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
[ "$expected" = "$SIGNATURE" ] || { echo "refused: signature"; exit 1; }
echo "verified: $(grep -o '"event":"[^"]*"' "$1" | cut -d '"' -f 4)"
