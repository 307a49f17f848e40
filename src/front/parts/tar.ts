/** Archives in the ustar format of POSIX, which every system unpacks. */

const blockBytes = 512;
const encoder = new TextEncoder();
/** Two empty blocks end an archive. */
const end = new Uint8Array(2 * blockBytes);

/** @param name at most 100 bytes of ASCII */
export function tarEntry(name: string, content: string, at = new Date()): Blob {
  const bytes = encoder.encode(content);
  const header = new Uint8Array(blockBytes);
  const put = (offset: number, text: string) => header.set(encoder.encode(text), offset);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  put(0, name);
  put(100, octal(0o600, 7)); // readable for its user only, because an export has personal data
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(bytes.length, 11));
  put(136, octal(Math.floor(at.getTime() / 1000), 11));
  put(148, " ".repeat(8)); // the sum counts its own place as spaces
  put(156, "0");
  put(257, "ustar");
  put(263, "00");
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, `${octal(sum, 6)}\0`);
  return new Blob([header, bytes, new Uint8Array(-bytes.length & (blockBytes - 1))]);
}

export const tarOf = (entries: Blob[]): Blob => new Blob([...entries, end]);
