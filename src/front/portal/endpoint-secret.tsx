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

/** As in docs/receiving-webhooks.md. */
const javaScript = `import { Webhook } from "standardwebhooks"; // npm install standardwebhooks

const event = new Webhook(signingSecret).verify(rawBody, headers); // throws if the signature is wrong`;

const python = `from standardwebhooks.webhooks import Webhook  # pip install standardwebhooks

event = Webhook(signing_secret).verify(raw_body, headers)  # raises if the signature is wrong`;

export function VerifySnippet() {
  return (
    <Section title={texts.verify.title}>
      <div class="text">
        <p>{texts.verify.text}</p>
        <h3>JavaScript</h3>
        <CodeBlock text={javaScript} label="JavaScript sample" />
        <h3>Python</h3>
        <CodeBlock text={python} label="Python sample" />
      </div>
    </Section>
  );
}
