/** The signing secret of an endpoint, which the API returns once, and how to verify deliveries with it. */
import { Dialog } from "../parts/dialog.tsx";
import { CodeBlock } from "../parts/id.tsx";
import { Section } from "../parts/page.tsx";
import { endpointTexts as texts } from "./texts/endpoints.ts";
import { frameTexts } from "./texts/frame.ts";
import { samples } from "./verify-samples.ts";

export function EndpointSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title={texts.secret.title} open onClose={onClose}>
      <p>{texts.secret.text}</p>
      <CodeBlock text={secret} label={frameTexts.copied.secret} />
    </Dialog>
  );
}

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
