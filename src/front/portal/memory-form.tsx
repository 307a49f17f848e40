/** The forms of a memory: all fields to create one, the changeable ones to edit one. */
import { useState } from "preact/hooks";
import { localOfUtc, utcOfLocal } from "../parts/date-range.tsx";
import { optionsOf } from "../parts/filters.tsx";
import { type Edited, FormDialog, textOf } from "../parts/form-dialog.tsx";
import { Field } from "../parts/page.tsx";
import { SelectField } from "../parts/select-field.tsx";
import type { Schemas } from "./schemas.ts";
import { memoryTexts as texts } from "./texts/bots.ts";
import { useBots } from "./use-names.ts";

type Memory = Schemas["Memory"];
export type MemoryValues = Pick<Memory, "value" | "confidence" | "validFrom" | "validTo" | "lawfulBasis">;
type NewMemory = MemoryValues & Pick<Memory, "kind" | "subject" | "subjectKind"> & { scope: string; botId?: string };

const fields = texts.fields;
type Errors = Record<string, string>;

export function NewMemoryForm({
  onClose,
  onSave,
}: {
  onClose: () => void;
  onSave: (memory: NewMemory) => Promise<unknown>;
}) {
  const [scope, setScope] = useState("organisation");
  const { options } = useBots();
  const save = (form: FormData) =>
    onSave({
      ...(scope === "bot" ? { scope: "bot", botId: textOf(form, "botId") } : { scope: "organisation" }),
      kind: textOf(form, "kind"),
      subject: textOf(form, "subject"),
      subjectKind: textOf(form, "subjectKind") as Memory["subjectKind"],
      ...valuesOf(form),
    });
  return (
    <FormDialog {...texts.create} onClose={onClose} onSubmit={save}>
      {(errors) => (
        <>
          <Field label={fields.scope} error={errors.scope}>
            <select name="scope" value={scope} onChange={(event) => setScope(event.currentTarget.value)}>
              <option value="organisation">{texts.scopes.organisation}</option>
              <option value="bot">{texts.scopes.bot}</option>
            </select>
          </Field>
          {scope === "bot" && <SelectField name="botId" label={fields.bot} options={options} error={errors.botId} />}
          <Field label={fields.kind} hint={fields.kindHint} error={errors.kind}>
            <input name="kind" required maxLength={60} />
          </Field>
          <SubjectFields errors={errors} />
          <ValueFields errors={errors} />
        </>
      )}
    </FormDialog>
  );
}

export function SubjectFields({ errors }: { errors: Errors }) {
  return (
    <>
      <Field label={fields.subject} error={errors.subject}>
        <input name="subject" required maxLength={200} />
      </Field>
      <SelectField
        name="subjectKind"
        label={fields.subjectKind}
        options={optionsOf(texts.subjectKinds)}
        error={errors.subjectKind}
      />
    </>
  );
}

type EditProps = {
  memory: Memory;
  edited: Edited;
  onClose: () => void;
  onSave: (values: MemoryValues) => Promise<unknown>;
};

export function EditMemoryForm({ memory, edited, onClose, onSave }: EditProps) {
  const save = (form: FormData) => {
    const values = valuesOf(form);
    // The input has no seconds: a time that the reader did not touch stays as it is.
    for (const name of ["validFrom", "validTo"] as const)
      if (textOf(form, name) === localOfUtc(memory[name] ?? "")) values[name] = memory[name];
    return onSave(values);
  };
  return (
    <FormDialog {...texts.edit} edited={edited} onClose={onClose} onSubmit={save}>
      {(errors) => <ValueFields errors={errors} present={memory} />}
    </FormDialog>
  );
}

export function ReplaceMemoryForm({ memory, onClose, onSave }: Omit<EditProps, "edited">) {
  return (
    <FormDialog {...texts.replace} onClose={onClose} onSubmit={(form) => onSave(valuesOf(form))}>
      {(errors) => (
        <>
          <p>{texts.replace.text}</p>
          <ValueFields errors={errors} present={{ ...first, value: memory.value, lawfulBasis: memory.lawfulBasis }} />
        </>
      )}
    </FormDialog>
  );
}

const first: MemoryValues = {
  ...{ value: "", confidence: 1, validFrom: null, validTo: null },
  lawfulBasis: "legitimate_interests",
};

function ValueFields({ errors, present = first }: { errors: Errors; present?: MemoryValues }) {
  return (
    <>
      <Field label={fields.value} hint={fields.valueHint} error={errors.value}>
        <textarea name="value" required maxLength={4_000} rows={4} defaultValue={present.value} />
      </Field>
      <Field label={fields.confidence} error={errors.confidence}>
        <input
          name="confidence"
          type="number"
          required
          min={0}
          max={1}
          step="any"
          defaultValue={String(present.confidence)}
        />
      </Field>
      <Field label={fields.validFrom} error={errors.validFrom}>
        <input name="validFrom" type="datetime-local" defaultValue={localOfUtc(present.validFrom ?? "")} />
      </Field>
      <Field label={fields.validTo} error={errors.validTo}>
        <input name="validTo" type="datetime-local" defaultValue={localOfUtc(present.validTo ?? "")} />
      </Field>
      <SelectField
        name="lawfulBasis"
        label={fields.lawfulBasis}
        options={optionsOf(texts.lawfulBases)}
        present={present.lawfulBasis}
        error={errors.lawfulBasis}
      />
    </>
  );
}

const valuesOf = (form: FormData): MemoryValues => ({
  value: textOf(form, "value"),
  confidence: Number(textOf(form, "confidence")),
  validFrom: utcOfLocal(textOf(form, "validFrom")) || null,
  validTo: utcOfLocal(textOf(form, "validTo")) || null,
  lawfulBasis: textOf(form, "lawfulBasis") as Memory["lawfulBasis"],
});
