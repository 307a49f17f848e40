/** Patterns of a canary in every encoding, found in bytes in one pass. */

export type Pattern = { what: string; form: string; bytes: Buffer };

/** Every encoding of a text. */
export function patternsOf(what: string, text: string): Pattern[] {
  const utf8 = Buffer.from(text);
  const utf16 = Buffer.from(text, "utf16le");
  const forms: [form: string, written: Buffer | string][] = [
    ["as it is", utf8],
    ["hex", utf8.toString("hex")],
    ["upper hex", utf8.toString("hex").toUpperCase()],
    ...[0, 1, 2].flatMap((before): [string, string][] => [
      [`base64, ${before} bytes in`, base64Within(utf8, before, "base64")],
      [`base64url, ${before} bytes in`, base64Within(utf8, before, "base64url")],
    ]),
    ["URL", encodeURIComponent(text)],
    ["URL, every character", [...utf8].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")],
    ["JSON", JSON.stringify(text).slice(1, -1)],
    ["JSON with escaped slashes", text.replaceAll("/", "\\/")],
    ["JSON in JSON", JSON.stringify(JSON.stringify(text)).slice(3, -3)],
    ["JSON, every character", [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")],
    ["UTF-16", utf16],
    ["UTF-16, the other way round", Buffer.from(utf16).swap16()],
  ];
  const seen = new Set<string>();
  return forms.flatMap(([form, written]) => {
    const bytes = Buffer.from(written as string);
    const known = bytes.toString("latin1");
    if (seen.has(known)) return [];
    seen.add(known);
    return [{ what, form, bytes }];
  });
}

/** Binary secrets: as bytes, and as text. */
export function patternsOfBytes(what: string, raw: Buffer): Pattern[] {
  const hex = raw.toString("hex");
  return [
    { what, form: "bytes", bytes: raw },
    { what, form: "hex of its bytes", bytes: Buffer.from(hex) },
    { what, form: "upper hex of its bytes", bytes: Buffer.from(hex.toUpperCase()) },
    ...[0, 1, 2].map((before) => ({
      what,
      form: `base64 of its bytes, ${before} bytes in`,
      bytes: Buffer.from(base64Within(raw, before, "base64")),
    })),
  ];
}

/** The part of its base64 that is independent of its surroundings, for one offset modulo three. */
function base64Within(bytes: Buffer, before: number, encoding: "base64" | "base64url"): string {
  const skipped = (3 - before) % 3;
  const whole = bytes.subarray(skipped, bytes.length - ((bytes.length - skipped) % 3));
  return whole.toString(encoding);
}

/**
 * Searches for all patterns at once. A pattern has at least four bytes.
 *
 * @returns a function that returns the patterns found in some bytes
 */
export function searcherOf(patterns: Pattern[]): (bytes: Buffer) => Pattern[] {
  const begins = new Uint8Array(65_536);
  const byBeginning = new Map<number, Pattern[]>();
  for (const pattern of patterns) {
    if (pattern.bytes.length < 4) throw new Error(`${pattern.what} is too short to be looked for`);
    begins[pattern.bytes.readUInt16LE(0)] = 1;
    const key = pattern.bytes.readUInt32LE(0);
    byBeginning.set(key, [...(byBeginning.get(key) ?? []), pattern]);
  }
  return (bytes) => {
    const found = new Set<Pattern>();
    const { length } = bytes;
    for (let at = 0; at + 4 <= length; at += 1) {
      const two = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
      if (begins[two] === 0) continue;
      for (const pattern of byBeginning.get(bytes.readUInt32LE(at)) ?? []) {
        if (bytes.subarray(at, at + pattern.bytes.length).equals(pattern.bytes)) found.add(pattern);
      }
    }
    return [...found];
  };
}
