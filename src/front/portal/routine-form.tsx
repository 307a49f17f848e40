/** The form of a routine, to create one and to edit one. */
import { useState } from "preact/hooks";
import { type Edited, FormDialog, textOf } from "../parts/form-dialog.tsx";
import { Field } from "../parts/page.tsx";
import { SelectField } from "../parts/select-field.tsx";
import { NextFirings, ScheduleWords } from "./next-firings.tsx";
import type { Schemas } from "./schemas.ts";
import { routineTexts as texts } from "./texts/automation.ts";
import { useBots } from "./use-names.ts";

export type RoutineValues = Pick<Schemas["Routine"], "name" | "schedule" | "timeZone" | "message">;

type Props = {
  words: { title: string; action: string };
  /** Without it the form has a choice of the bot. */
  present?: RoutineValues;
  edited?: Edited;
  onClose: () => void;
  onSave: (values: RoutineValues, botId: string) => Promise<unknown>;
};

const { fields } = texts;

export function RoutineForm({ words, present, edited, onClose, onSave }: Props) {
  const { options } = useBots();
  const zone = present?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [schedule, setSchedule] = useState(present?.schedule ?? "");
  const [timeZone, setTimeZone] = useState(zone);
  const save = (form: FormData) =>
    onSave(
      {
        name: textOf(form, "name"),
        schedule: textOf(form, "schedule"),
        timeZone: textOf(form, "timeZone"),
        message: textOf(form, "message"),
      },
      textOf(form, "botId"),
    );
  return (
    <FormDialog {...words} edited={edited} onClose={onClose} onSubmit={save}>
      {(errors) => (
        <>
          {!present && <SelectField name="botId" label={fields.bot} options={options} error={errors.botId} />}
          <Field label={fields.name} error={errors.name}>
            <input name="name" required maxLength={60} defaultValue={present?.name} />
          </Field>
          <Field label={fields.schedule} hint={fields.scheduleHint} error={errors.schedule}>
            <input
              name="schedule"
              required
              maxLength={200}
              defaultValue={present?.schedule}
              onInput={({ currentTarget }) => setSchedule(currentTarget.value)}
            />
          </Field>
          <Field label={fields.timeZone} error={errors.timeZone}>
            <input
              name="timeZone"
              required
              maxLength={60}
              list="time-zones"
              defaultValue={zone}
              onInput={({ currentTarget }) => setTimeZone(currentTarget.value)}
            />
          </Field>
          {schedule !== "" && (
            <div role="status">
              <strong>{texts.firings.label}</strong>
              <ScheduleWords schedule={schedule} timeZone={timeZone} />
              <NextFirings schedule={schedule} timeZone={timeZone} />
            </div>
          )}
          <datalist id="time-zones">
            {Intl.supportedValuesOf("timeZone").map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <Field label={fields.message} error={errors.message}>
            <textarea name="message" required maxLength={32_000} rows={4} defaultValue={present?.message} />
          </Field>
        </>
      )}
    </FormDialog>
  );
}
