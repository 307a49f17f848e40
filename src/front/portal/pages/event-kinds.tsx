/** The kinds of events: what each is about, and an example of a delivered body. */
import { eventExample } from "../../../contract/event-examples.ts";
import { type EventKind, eventKinds } from "../../../contract/event-kinds.ts";
import { CodeBlock } from "../../parts/id.tsx";
import { Page } from "../../parts/page.tsx";
import { eventTexts } from "../texts/endpoints.ts";

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
                <CodeBlock text={JSON.stringify(eventExample(kind as EventKind), null, 2)} label={texts.label} />
              </details>
            </li>
          ))}
        </ul>
      </div>
    </Page>
  );
}
