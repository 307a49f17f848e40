/** The dialog that runs an ended run again: from its start, or after steps whose results may be stored. */
import { useLocation } from "preact-iso";
import { api, useOne } from "../parts/api.ts";
import { FormDialog, textOf } from "../parts/form-dialog.tsx";
import { Facts } from "../parts/page.tsx";
import { SelectField } from "../parts/select-field.tsx";
import { toast } from "../parts/toast.tsx";
import type { Schemas } from "./schemas.ts";
import { runTexts } from "./texts/runs.ts";

const texts = runTexts.retry;

type Props = {
  run: Schemas["Run"];
  bot: string;
  /** The message that started the run. */
  message: string;
  onClose: () => void;
};

export function RetryRun({ run, bot, message, onClose }: Props) {
  const { route } = useLocation();
  const { data } = useOne<{ data: Schemas["Step"][] }>(`/runs/${run.id}/steps?limit=100`);
  const retry = async (form: FormData) => {
    const body = { fromStep: Number(textOf(form, "fromStep")) };
    const { id } = await api<Schemas["Run"]>("POST", `/runs/${run.id}/retry`, body);
    toast(runTexts.start.done);
    route(`/portal/runs/${id}`);
  };
  const { facts } = runTexts.one;
  return (
    <FormDialog title={texts.title} action={texts.action} onClose={onClose} onSubmit={retry}>
      {(errors) => (
        <>
          <Facts
            items={[
              [facts.bot, bot],
              [runTexts.columns.message, message],
              [facts.taint, run.taint ? runTexts.yes : runTexts.no],
            ]}
          />
          <SelectField
            name="fromStep"
            label={texts.from}
            options={[{ value: "1", title: texts.start }, ...continuations(data?.data ?? [])]}
            error={errors.fromStep}
          />
        </>
      )}
    </FormDialog>
  );
}

/** @param steps newest first. A retry can continue after steps that all have a key */
function continuations(steps: Schemas["Step"][]) {
  const ordered = steps.toReversed();
  const gap = ordered.findIndex(({ number, key }, index) => number !== index + 1 || key === null);
  return ordered.slice(0, gap < 0 ? undefined : gap).map(({ number, key }) => ({
    value: `${number + 1}`,
    title: texts.after(number, key ?? ""),
  }));
}
