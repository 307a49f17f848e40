/** The kinds of events that an endpoint receives, in groups, with their technical names. */
import { eventKinds } from "../../contract/event-kinds.ts";
import { FieldError } from "../parts/page.tsx";
import { endpointTexts } from "./texts/endpoints.ts";

const texts = endpointTexts.fields;
type Kind = keyof typeof eventKinds;

const kinds = (Object.keys(eventKinds) as Kind[]).filter((kind) => eventKinds[kind].isSubscribable);
/** "run" of "run.finished" */
const groupOf = (kind: string) => kind.split(".")[0] as keyof typeof texts.groups;
const groups = Object.keys(texts.groups).map(
  (group) => [group as keyof typeof texts.groups, kinds.filter((kind) => groupOf(kind) === group)] as const,
);

export function EventChoices({ chosen, error }: { chosen: readonly string[]; error: string | undefined }) {
  return (
    <fieldset class="choices events">
      <legend>{texts.events}</legend>
      {groups.map(([group, ofGroup]) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be read twice
        <div key={group} role="group" aria-label={texts.groups[group]}>
          <h3>{texts.groups[group]}</h3>
          {ofGroup.map((kind) => (
            <label key={kind} class="tick">
              <input type="checkbox" name="events" value={kind} defaultChecked={chosen.includes(kind)} />
              <span>
                {eventKinds[kind].summary} <code>{kind}</code>
              </span>
            </label>
          ))}
        </div>
      ))}
      <FieldError error={error} />
    </fieldset>
  );
}
