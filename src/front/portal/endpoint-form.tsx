/** The dialog that creates or changes an endpoint. */
import type { Option } from "../parts/filters.tsx";
import { optionsOf } from "../parts/filters.tsx";
import { type Edited, FormDialog, textOf } from "../parts/form-dialog.tsx";
import { Field, FieldError } from "../parts/page.tsx";
import { EventChoices } from "./event-choices.tsx";
import type { Schemas } from "./schemas.ts";
import { endpointTexts } from "./texts/endpoints.ts";
import { useBots } from "./use-names.ts";

export type EndpointValues = Pick<
  Schemas["Webhook"],
  "url" | "description" | "events" | "botIds" | "runStates" | "orderPerRun"
>;

type Props = {
  words: { title: string; action: string };
  present?: EndpointValues;
  edited?: Edited;
  onClose: () => void;
  onSave: (values: EndpointValues) => Promise<unknown>;
};

export function EndpointForm({ words, present, edited, onClose, onSave }: Props) {
  const texts = endpointTexts.fields;
  const bots = useBots();
  return (
    <FormDialog {...words} edited={edited} onClose={onClose} onSubmit={(form) => onSave(valuesOf(form))}>
      {(errors) => (
        <>
          <UrlField present={present?.url} error={errors.url} />
          <Field label={texts.description} hint={texts.descriptionHint} error={errors.description}>
            <textarea name="description" rows={2} maxLength={200} defaultValue={present?.description ?? ""} />
          </Field>
          <EventChoices chosen={present?.events ?? ["run.finished"]} error={errors.events} />
          <Choices
            legend={texts.states}
            hint={texts.statesHint}
            name="runStates"
            options={optionsOf(endpointTexts.runStates)}
            chosen={present?.runStates ?? []}
            error={errors.runStates}
          />
          {bots.options.length > 0 && (
            <Choices
              legend={texts.bots}
              hint={texts.botsHint}
              name="botIds"
              options={bots.options}
              chosen={present?.botIds ?? []}
              error={errors.botIds}
            />
          )}
          <label class="tick">
            <input type="checkbox" name="orderPerRun" defaultChecked={present?.orderPerRun} />
            {texts.order}
          </label>
        </>
      )}
    </FormDialog>
  );
}

export function UrlField({ present, error }: { present: string | undefined; error: string | undefined }) {
  const texts = endpointTexts.fields;
  return (
    <Field label={texts.url} hint={texts.urlHint} error={error}>
      <input name="url" type="url" required maxLength={2048} defaultValue={present} placeholder="https://" />
    </Field>
  );
}

function valuesOf(form: FormData): EndpointValues {
  const chosen = (name: string) => (form.getAll(name).length > 0 ? form.getAll(name).map(String) : null);
  return {
    url: textOf(form, "url").trim(),
    description: textOf(form, "description").trim() || null,
    events: (chosen("events") ?? []) as EndpointValues["events"],
    runStates: chosen("runStates") as EndpointValues["runStates"],
    botIds: chosen("botIds"),
    orderPerRun: form.has("orderPerRun"),
  };
}

type ChoicesProps = {
  legend: string;
  hint?: string;
  name: string;
  options: Option[];
  chosen: readonly string[];
  error: string | undefined;
};

function Choices({ legend, hint, name, options, chosen, error }: ChoicesProps) {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {hint && <small>{hint}</small>}
      <div>
        {options.map(({ value, title }) => (
          <label key={value} class="tick">
            <input type="checkbox" name={name} value={value} defaultChecked={chosen.includes(value)} />
            {title}
          </label>
        ))}
      </div>
      <FieldError error={error} />
    </fieldset>
  );
}
