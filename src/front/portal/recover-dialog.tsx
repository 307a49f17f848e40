/** Recovery of a period. One call recovers a part, so calls follow each other until the period is done or the person stops. */
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../parts/api.ts";
import { localOfUtc, utcOfLocal } from "../parts/date-range.tsx";
import { optionsOf } from "../parts/filters.tsx";
import { FormDialog, textOf } from "../parts/form-dialog.tsx";
import { type Fact, Facts, Field } from "../parts/page.tsx";
import { SelectField } from "../parts/select-field.tsx";
import { localTime } from "../parts/time.tsx";
import { toast } from "../parts/toast.tsx";
import type { Schemas } from "./schemas.ts";
import { endpointTexts } from "./texts/endpoints.ts";

const texts = endpointTexts.recover;

/** from: where the next call begins; without it the period is done */
type Progress = { recovered: number; from: string | null };
type Period = { since: string; until: string; include: string };

type Props = {
  /** Of the endpoint. */
  path: string;
  present: Fact[];
  onClose: () => void;
};

export function RecoverDialog({ path, present, onClose }: Props) {
  const [progress, setProgress] = useState<Progress>();
  const stopping = useRef(new AbortController());
  const sinceField = useRef<HTMLInputElement>(null);
  useEffect(() => () => stopping.current.abort(), []);
  const report = (now: Progress) => {
    setProgress(now);
    // After a stop or a failure, the same button continues from here.
    if (now.from !== null && sinceField.current) sinceField.current.value = localOfUtc(now.from);
  };
  const recover = async (period: Period) => {
    stopping.current = new AbortController();
    const { recovered, from } = await recoverAll(path, period, stopping.current.signal, report);
    if (from !== null) throw new Error(texts.stopped);
    toast(texts.done(recovered));
  };
  const submit = (form: FormData) =>
    recover({
      since: utcOfLocal(textOf(form, "since")),
      // A fixed end: without it each call would end at another time.
      until: utcOfLocal(textOf(form, "until")) || new Date().toISOString(),
      include: textOf(form, "include"),
    });
  return (
    <FormDialog title={texts.title} action={texts.action} onClose={onClose} onSubmit={submit}>
      {(errors, busy) => (
        <>
          <Facts items={present} />
          <p>{texts.text}</p>
          <SelectField name="include" label={texts.what} options={optionsOf(texts.whats)} error={errors.include} />
          <Field label={texts.since} error={errors.since}>
            <input name="since" type="datetime-local" required ref={sinceField} />
          </Field>
          <Field label={texts.until} error={errors.until}>
            <input name="until" type="datetime-local" />
          </Field>
          {progress && (
            <p role="status">{texts.progress(progress.recovered, progress.from && localTime(progress.from))}</p>
          )}
          {busy && (
            <p class="progress">
              <progress aria-label={texts.title} />
              <button type="button" onClick={() => stopping.current.abort()}>
                {texts.stop}
              </button>
            </p>
          )}
        </>
      )}
    </FormDialog>
  );
}

/** @returns the progress at the end, or at the stop */
async function recoverAll(
  path: string,
  { since, until, include }: Period,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<Progress> {
  const progress: Progress = { recovered: 0, from: since };
  while (progress.from !== null && !signal.aborted) {
    const body = { since: progress.from, until, include };
    const { recovered, nextSince } = await api<Schemas["Recovery"]>("POST", `${path}/recover`, body);
    progress.recovered += recovered;
    progress.from = nextSince;
    report({ ...progress });
  }
  return progress;
}
