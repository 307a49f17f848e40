/** Amounts of money. A run costs fractions of a cent, so every amount has four digits after the point. */

const digits = 4;

const formats = new Map<string | undefined, Intl.NumberFormat>();

/**
 * @param microCents 1,000,000 are one cent
 * @param locale the reader's if missing
 */
export function money(microCents: number, locale?: string): string {
  const options = { style: "currency", currency: "EUR", minimumFractionDigits: digits } as const;
  const format = formats.get(locale) ?? new Intl.NumberFormat(locale, options);
  formats.set(locale, format);
  return format.format(microCents / 100_000_000);
}
