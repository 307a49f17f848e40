/** The dialog that asks a bot: it starts a run and opens its page. */
import { useLocation } from "preact-iso";
import { api } from "../parts/api.ts";
import type { Option } from "../parts/filters.tsx";
import { FormDialog, textOf } from "../parts/form-dialog.tsx";
import { Field } from "../parts/page.tsx";
import { SelectField } from "../parts/select-field.tsx";
import { toast } from "../parts/toast.tsx";
import type { Schemas } from "./schemas.ts";
import { runTexts } from "./texts/runs.ts";

const texts = runTexts.start;

type Props = {
  words?: { title: string; action: string };
  /** The bots to choose from. */
  options: Option[];
  onClose: () => void;
};

export function StartRun({ words = texts, options, onClose }: Props) {
  const { route } = useLocation();
  const start = async (form: FormData) => {
    const body = {
      botId: textOf(form, "botId"),
      message: textOf(form, "message"),
      untrusted: form.get("untrusted") !== null,
    };
    const { id } = await api<Schemas["Run"]>("POST", "/runs", body);
    toast(texts.done);
    route(`/portal/runs/${id}`);
  };
  return (
    <FormDialog title={words.title} action={words.action} onClose={onClose} onSubmit={start}>
      {(errors) => (
        <>
          {options.length === 0 && <p>{texts.noBots}</p>}
          <SelectField name="botId" label={texts.bot} options={options} error={errors.botId} />
          <Field label={texts.message} error={errors.message}>
            <textarea name="message" required maxLength={32_000} rows={4} />
          </Field>
          <label class="tick">
            <input type="checkbox" name="untrusted" />
            <span>
              {texts.untrusted}
              <small class="quiet"> {texts.untrustedHint}</small>
            </span>
          </label>
        </>
      )}
    </FormDialog>
  );
}
