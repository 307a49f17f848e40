/** The signing secret of an endpoint, which the API returns once, and how to verify deliveries with it. */
import { Dialog } from "../parts/dialog.tsx";
import { CodeBlock } from "../parts/id.tsx";
import { Section } from "../parts/page.tsx";
import { endpointTexts as texts } from "./texts/endpoints.ts";

export function EndpointSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title={texts.secret.title} open onClose={onClose}>
      <p>{texts.secret.text}</p>
      <CodeBlock text={secret} label="secret" />
    </Dialog>
  );
}

/** As in docs/receiving-webhooks.md and examples/curl/verify-delivery.sh. */
const samples: [language: string, text: string][] = [
  [
    "TypeScript",
    `import { Webhook } from "standardwebhooks"; // npm install standardwebhooks

const event = new Webhook(signingSecret).verify(rawBody, headers); // throws if the signature is wrong`,
  ],
  [
    "Python",
    `import hashlib
import hmac
import time


def is_botsteads(secret: str, headers: dict[str, str], raw_body: bytes) -> bool:
    timestamp = headers.get("x-botstead-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdecimal()) or abs(time.time() - int(timestamp)) > 300:
        return False
    expected = hmac.new(secret.encode(), f"v1:{timestamp}:".encode() + raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), headers.get("x-botstead-signature", "").encode())`,
  ],
  [
    "Shell",
    `# For a check by hand: body.json has the raw body, TIMESTAMP and SIGNATURE the headers X-Botstead-Timestamp and X-Botstead-Signature.
expected=$({ printf 'v1:%s:' "$TIMESTAMP"; cat body.json; } | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1)
[ "$expected" = "$SIGNATURE" ] && echo verified`,
  ],
];

export function VerifySnippet() {
  return (
    <Section title={texts.verify.title}>
      <div class="text">
        <p>{texts.verify.text}</p>
        {samples.map(([language, text], index) => (
          <details key={language} class="sample" open={index === 0}>
            <summary>{language}</summary>
            <CodeBlock text={text} label={`${language} sample`} />
          </details>
        ))}
      </div>
    </Section>
  );
}
