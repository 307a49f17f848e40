#!/usr/bin/env bash
# verify-delivery.sh FILE: verifies the raw body in FILE. Reads SECRET, TIMESTAMP and SIGNATURE from the environment.
# For debugging only: the comparison is not in constant time, and the process list shows the secret.
set -euo pipefail
for each in "${SECRET-}" "${TIMESTAMP-}" "${SIGNATURE-}" "${1-}"; do
  [ -n "$each" ] || { echo 'usage: SECRET=whsec_… TIMESTAMP=… SIGNATURE=… verify-delivery.sh FILE' >&2; exit 2; }
done

age=$(($(date +%s) - TIMESTAMP))
[ "${age#-}" -le 300 ] || { echo "refused: timestamp"; exit 1; }
expected=$({ printf 'v1:%s:' "$TIMESTAMP"; cat "$1"; } | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
[ "$expected" = "$SIGNATURE" ] || { echo "refused: signature"; exit 1; }
echo "verified: $(grep -o '"event":"[^"]*"' "$1" | cut -d '"' -f 4)"
