/**
 * Amounts of money. A sum has two digits after the point. The cost of a run or of a step is often below a cent, so each cost has
 * four. A column has amounts of one kind.
 */
const digits = { sum: 2, cost: 4 };

const formats = new Map<string, Intl.NumberFormat>();

function format(euros: number, fraction: number, locale: string | undefined): string {
  const name = `${locale} ${fraction}`;
  const options = { style: "currency", currency: "EUR", minimumFractionDigits: fraction } as const;
  const found = formats.get(name) ?? new Intl.NumberFormat(locale, { ...options, maximumFractionDigits: fraction });
  formats.set(name, found);
  return found.format(euros);
}

/**
 * Nothing is "€0". A smaller amount than the digits can show is "<€0.01", never 0.
 *
 * @param microCents 1,000,000 are one cent
 * @param locale the reader's if missing
 */
export function money(microCents: number, kind: keyof typeof digits, locale?: string): string {
  const fraction = digits[kind];
  const least = 10 ** -fraction;
  const euros = microCents / 100_000_000;
  if (euros === 0) return format(0, 0, locale);
  return euros > 0 && euros < least ? `<${format(least, fraction, locale)}` : format(euros, fraction, locale);
}
