/** Erasure of all memories about a subject, and its receipt. */
import { api } from "../parts/api.ts";
import { Dialog } from "../parts/dialog.tsx";
import { FormDialog, textOf } from "../parts/form-dialog.tsx";
import { CodeBlock } from "../parts/id.tsx";
import { Facts, Field } from "../parts/page.tsx";
import { Time } from "../parts/time.tsx";
import { SubjectFields } from "./memory-form.tsx";
import type { Schemas } from "./schemas.ts";
import { memoryTexts } from "./texts/bots.ts";
import { frameTexts } from "./texts/frame.ts";

type Receipt = Schemas["Erasure"];

const texts = memoryTexts.erase;

type Props = { onClose: () => void; onErased: (receipt: Receipt) => void };

export function EraseDialog({ onClose, onErased }: Props) {
  const erase = async (form: FormData) => {
    const subject = textOf(form, "subject");
    if (textOf(form, "again") !== subject) throw new Error(texts.mismatch);
    onErased(await api<Receipt>("POST", "/memories/erase", { subjectKind: textOf(form, "subjectKind"), subject }));
  };
  return (
    <FormDialog title={texts.title} action={texts.action} danger onClose={onClose} onSubmit={erase}>
      {(errors) => (
        <>
          <p>{texts.text}</p>
          <SubjectFields errors={errors} />
          <Field label={texts.confirm}>
            <input name="again" required maxLength={200} autocomplete="off" />
          </Field>
        </>
      )}
    </FormDialog>
  );
}

export function ReceiptDialog({ receipt, onClose }: { receipt: Receipt; onClose: () => void }) {
  const { facts } = texts;
  const count = (value: number) => value.toLocaleString();
  return (
    <Dialog title={texts.receipt} open onClose={onClose}>
      {!receipt.complete && <p class="notice warn">{texts.incomplete}</p>}
      <Facts
        items={[
          [facts.erasedAt, <Time at={receipt.erasedAt} />],
          [facts.memories, count(receipt.memories)],
          [facts.history, count(receipt.history)],
          [facts.proposals, count(receipt.proposals)],
          [facts.answers, count(receipt.answers)],
          [facts.complete, receipt.complete ? memoryTexts.yes : memoryTexts.no],
          [facts.notSearched, receipt.notSearched.join(", ")],
        ]}
      />
      <p class="quiet">{texts.receiptHint}</p>
      <CodeBlock text={JSON.stringify(receipt, null, 2)} label={frameTexts.copied.receipt} />
    </Dialog>
  );
}
