/** The signing secret of an endpoint or of the audit stream, which the API returns once, and how to verify deliveries with it. */
import type { ComponentChildren } from "preact";
import { CodeBlock } from "../parts/id.tsx";
import { Section } from "../parts/page.tsx";
import { showOnce } from "./one-time.tsx";
import type { Schemas } from "./schemas.ts";
import { endpointTexts as texts } from "./texts/endpoints.ts";
import { frameTexts } from "./texts/frame.ts";
import { samples } from "./verify-samples.ts";

/** @param children below the secret */
export const showEndpointSecret = (
  { secret }: Pick<Schemas["WebhookShownOnce"], "secret">,
  children?: ComponentChildren,
): void => showOnce({ ...texts.secret, label: frameTexts.copied.secret, secret, children });

export function VerifySnippet() {
  return (
    <Section title={texts.verify.title}>
      <div class="text">
        <p>{texts.verify.text}</p>
        {samples.map(([language, text], index) => (
          <details key={language} class="sample" open={index === 0}>
            <summary>{language}</summary>
            <CodeBlock text={text} label={frameTexts.copied.sample(language)} />
          </details>
        ))}
      </div>
    </Section>
  );
}
