/** E-mail addresses in requests. (docs/specification/conventions.md#e-mail-addresses) */
import { domainToASCII, domainToUnicode } from "node:url";
import { z } from "zod";
import { text } from "./fields.ts";

/** RFC 5321 without quoted strings. The local part is ASCII, because support for SMTPUTF8 in the mail server is unknown. */
const dotAtom = /^(?=.{1,64}$)[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const domainLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
/** Numbers would be an IPv4 address, and no top-level domain has one letter. */
const topLevel = /^(?!\d+$).{2,}$/;

/**
 * An e-mail address. An internationalised domain (IDNA) is normalised to Unicode in lower case, so that two spellings
 * of an address are not two people. The mailer sends to its A-labels. names.is_email in SQL has the same rule for the
 * stored form.
 */
export const email = text(3, 254)
  .pipe(z.string().refine((value) => isEmail(value), "must be an e-mail address"))
  .transform((value) => {
    const [local, domain] = partsOfEmail(value);
    return isInternational(domain) ? `${local}@${domainToUnicode(domainToASCII(domain))}` : value;
  })
  .meta({ format: "email" });

/** Whether this is a sender such as `Botstead <mail@example.com>`. Its domain may have one label. */
export function isSender(value: string): boolean {
  return isEmail(/^[^<>]*<([^<>]+)>$/.exec(value)?.[1] ?? value, 1);
}

function isEmail(value: string, minLabels = 2): boolean {
  const [local, domain] = partsOfEmail(value);
  if (!dotAtom.test(local)) return false;
  if (!/^[\p{L}\p{M}\p{Nd}\u3007.-]+$/u.test(domain)) return false; // domainToASCII silently drops a line break.
  const ascii = isInternational(domain) ? domainToASCII(domain) : domain;
  const labels = ascii.split(".");
  return (
    local.length + 1 + ascii.length <= 254 &&
    labels.length >= minLabels &&
    labels.every((label) => domainLabel.test(label)) &&
    topLevel.test(labels.at(-1) ?? "")
  );
}

function partsOfEmail(value: string): [local: string, domain: string] {
  const at = value.lastIndexOf("@");
  return [value.slice(0, Math.max(at, 0)), value.slice(at + 1)];
}

function isInternational(domain: string): boolean {
  return /\P{ASCII}|(^|\.)[xX][nN]--/u.test(domain);
}
