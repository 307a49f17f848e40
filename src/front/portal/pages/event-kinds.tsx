/** The kinds of events: what each is about, and an example of a delivered body. */
import { eventExamples } from "../../../client/generated/event-examples.ts";
import { eventKinds } from "../../../client/generated/event-kinds.ts";
import { CodeBlock } from "../../parts/id.tsx";
import { Page } from "../../parts/page.tsx";
import { eventTexts } from "../texts/endpoints.ts";

type Kind = keyof typeof eventExamples;

const texts = eventTexts.kinds;

export default function EventKinds() {
  return (
    <Page title={texts.title} above={<a href="/portal/events">{texts.back}</a>}>
      <p class="lead quiet">{texts.text}</p>
      <div class="panel">
        <ul class="kinds">
          {Object.entries(eventKinds).map(([kind, { summary, isOptIn, isSubscribable }]) => (
            <li key={kind}>
              <details>
                <summary>
                  <code>{kind}</code> <span class="quiet">{summary}</span>
                </summary>
                <p>{isSubscribable ? (isOptIn ? texts.optIn : texts.always) : texts.onRequest}</p>
                <CodeBlock text={JSON.stringify(eventExamples[kind as Kind], null, 2)} label={texts.label} />
              </details>
            </li>
          ))}
        </ul>
      </div>
    </Page>
  );
}
