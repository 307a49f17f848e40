/** The restrictions of a key in a form, and a new key that is shown once. */
import { textOf } from "../parts/form-dialog.tsx";
import { Field } from "../parts/page.tsx";
import { showOnce } from "./one-time.tsx";
import type { Schemas } from "./schemas.ts";
import { frameTexts } from "./texts/frame.ts";
import { keyTexts } from "./texts/keys.ts";

type Restrictions = Pick<Schemas["Key"], "allowedIps" | "ratePerMinute">;

export function RestrictionFields({ present, errors }: { present?: Restrictions; errors: Record<string, string> }) {
  const texts = keyTexts.fields;
  return (
    <>
      <Field label={texts.ips} hint={texts.ipsHint} error={errors.allowedIps}>
        <textarea name="allowedIps" defaultValue={present?.allowedIps?.join("\n")} />
      </Field>
      <Field label={texts.rate} hint={texts.rateHint} error={errors.ratePerMinute}>
        <input name="ratePerMinute" type="number" min={1} max={300} defaultValue={present?.ratePerMinute ?? ""} />
      </Field>
    </>
  );
}

export function restrictionsOf(form: FormData): Restrictions {
  const blocks = textOf(form, "allowedIps")
    .split(/[\s,]+/)
    .filter(Boolean);
  const rate = textOf(form, "ratePerMinute");
  return { allowedIps: blocks.length > 0 ? blocks : null, ratePerMinute: rate === "" ? null : Number(rate) };
}

export const showNewKey = ({ key }: Schemas["KeyShownOnce"]): void =>
  showOnce({ ...keyTexts.secret, label: frameTexts.copied.key, secret: key });
