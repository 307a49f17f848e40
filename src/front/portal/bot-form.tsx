/** The form of a bot, to create one and to edit one. */
import { useOne } from "../parts/api.ts";
import { type Edited, FormDialog, textOf } from "../parts/form-dialog.tsx";
import { Field } from "../parts/page.tsx";
import type { Schemas } from "./schemas.ts";
import { botTexts as texts } from "./texts/bots.ts";

export type BotValues = Omit<Schemas["Bot"], "id" | "ownerId" | "createdAt">;

export const newBot: BotValues = {
  name: "",
  instructions: "",
  model: "recall",
  visibility: "team",
  directConversation: "members",
};

type Props = {
  words: { title: string; action: string };
  present: BotValues;
  edited?: Edited;
  onClose: () => void;
  onSave: (values: BotValues) => Promise<unknown>;
};

export function BotForm({ words, present, edited, onClose, onSave }: Props) {
  const models = useOne<Schemas["ModelList"]>("/models").data?.data ?? [];
  const listed = models.some(({ id }) => id === present.model);
  const options = listed ? models : [{ id: present.model, available: true }, ...models];
  const save = (form: FormData) =>
    onSave({
      name: textOf(form, "name"),
      instructions: textOf(form, "instructions"),
      model: textOf(form, "model"),
      visibility: textOf(form, "visibility") as BotValues["visibility"],
      directConversation: textOf(form, "directConversation") as BotValues["directConversation"],
    });
  return (
    <FormDialog {...words} edited={edited} onClose={onClose} onSubmit={save}>
      {(errors) => (
        <>
          <Field label={texts.fields.name} error={errors.name}>
            <input name="name" required maxLength={60} defaultValue={present.name} />
          </Field>
          <Field label={texts.fields.instructions} hint={texts.fields.instructionsHint} error={errors.instructions}>
            <textarea name="instructions" maxLength={20_000} rows={6} defaultValue={present.instructions} />
          </Field>
          <Field label={texts.fields.model} error={errors.model}>
            <select name="model">
              {options.map(({ id, available }) => (
                <option key={id} value={id} selected={id === present.model}>
                  {id} {available ? "" : texts.fields.unavailable}
                </option>
              ))}
            </select>
          </Field>
          <Choice
            name="visibility"
            label={texts.fields.visibility}
            options={texts.visibilities}
            present={present.visibility}
            error={errors.visibility}
          />
          <Choice
            name="directConversation"
            label={texts.fields.conversation}
            options={texts.conversations}
            present={present.directConversation}
            error={errors.directConversation}
          />
        </>
      )}
    </FormDialog>
  );
}

type ChoiceProps = {
  name: string;
  label: string;
  options: Record<string, string>;
  present: string;
  error: string | undefined;
};

function Choice({ name, label, options, present, error }: ChoiceProps) {
  return (
    <Field label={label} error={error}>
      <select name={name}>
        {Object.entries(options).map(([value, title]) => (
          <option key={value} value={value} selected={value === present}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
}
