/** E-mail addresses in requests. (docs/specification/conventions.md#e-mail-addresses) */
import { domainToASCII, domainToUnicode } from "node:url";
import { z } from "zod";
import { text } from "./fields.ts";

/**
 * An e-mail address. An internationalised domain (IDNA) is normalised to Unicode in lower case, so that two spellings
 * of an address are not two people. The mailer sends to its A-labels. The local part is ASCII, because support for
 * SMTPUTF8 in the mail server is unknown.
 */
export const email = text(3, 254)
  .pipe(z.string().refine((value) => isEmail(value), "must be an e-mail address"))
  .transform((value) => {
    const [local, domain] = partsOfEmail(value);
    return isInternational(domain) ? `${local}@${domainToUnicode(domainToASCII(domain))}` : value;
  })
  .meta({ format: "email" });

function isEmail(value: string): boolean {
  const [local, domain] = partsOfEmail(value);
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return false; // domainToASCII silently drops a line break.
  const ascii = isInternational(domain) ? domainToASCII(domain) : domain;
  if (local.length + 1 + ascii.length > 254 || ascii.split(".").some((label) => label.length > 63)) return false;
  // The pattern of zod requires letters in a top-level domain. An A-label also has digits and hyphens.
  return z.email().safeParse(`${local}@${ascii.replace(/\.xn--[a-z0-9-]+$/, ".idn")}`).success;
}

function partsOfEmail(value: string): [local: string, domain: string] {
  const at = value.lastIndexOf("@");
  return [value.slice(0, Math.max(at, 0)), value.slice(at + 1)];
}

function isInternational(domain: string): boolean {
  return /\P{ASCII}|(^|\.)[xX][nN]--/u.test(domain);
}
