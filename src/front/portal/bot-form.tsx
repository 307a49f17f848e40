/** The form of a bot, to create one and to edit one. */
import { useOne } from "../parts/api.ts";
import { optionsOf } from "../parts/filters.tsx";
import { type Edited, FormDialog, textOf } from "../parts/form-dialog.tsx";
import { Field } from "../parts/page.tsx";
import { SelectField } from "../parts/select-field.tsx";
import type { Schemas } from "./schemas.ts";
import { useSession } from "./session-context.ts";
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
  /** The owner of the bot; undefined for a new bot. */
  ownerId?: string;
  edited?: Edited;
  onClose: () => void;
  onSave: (values: BotValues) => Promise<unknown>;
};

export function BotForm({ words, present, ownerId, edited, onClose, onSave }: Props) {
  const { person, forAnother } = useSession();
  const mayBePersonal = !forAnother && (ownerId === undefined || ownerId === person.id);
  const listed = useOne<Schemas["ModelList"]>("/models").data?.data ?? [];
  const isListed = listed.some(({ id }) => id === present.model);
  const models = [...(isListed ? [] : [{ id: present.model, available: true }]), ...listed].map(
    ({ id, available }) => ({
      value: id,
      title: available ? id : `${id} ${texts.fields.unavailable}`,
    }),
  );
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
          <SelectField
            name="model"
            label={texts.fields.model}
            options={models}
            present={present.model}
            error={errors.model}
          />
          <SelectField
            name="visibility"
            label={texts.fields.visibility}
            options={optionsOf(texts.visibilities).filter(({ value }) => mayBePersonal || value === present.visibility)}
            present={present.visibility}
            error={errors.visibility}
          />
          <SelectField
            name="directConversation"
            label={texts.fields.conversation}
            options={optionsOf(texts.conversations)}
            present={present.directConversation}
            error={errors.directConversation}
          />
        </>
      )}
    </FormDialog>
  );
}
