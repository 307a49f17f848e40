/** Lines of a file for an import: found part by part, wherever a part ends. */
import { maxBodyBytes, maxImportLines } from "../../src/contract/body-limits.ts";
import { firstLine, joined, type Line, linesFrom } from "../../src/front/portal/file-lines.ts";

async function partsOf(content: string | Uint8Array<ArrayBuffer>): Promise<Line[][]> {
  const file = new Blob([content]);
  const parts: Line[][] = [];
  for (let at = firstLine; ; ) {
    const { lines, next } = await linesFrom(file, at);
    if (lines.length === 0) return parts;
    parts.push(lines);
    at = next;
  }
}

const textOf = ({ bytes }: Line): string | null => bytes && new TextDecoder("utf-8", { fatal: true }).decode(bytes);
const linesIn = async (content: string) =>
  (await partsOf(content)).flat().map((line) => [line.number, textOf(line)] as const);

test("a last line without a line feed is a line, and blank lines only count", async () => {
  const expected = [
    [1, "a"],
    [3, "b\r"],
    [6, "c"],
  ];
  expect(await linesIn("a\n\nb\r\n\r\n \t\nc")).toEqual(expected);
  expect(await linesIn("a\n\nb\r\n\r\n \t\nc\n\n")).toEqual(expected);
  for (const content of ["", "\n", "\r\n \n", "\n".repeat(2 * maxBodyBytes + 3)])
    expect(await partsOf(content)).toEqual([]);
});

test("a part has at most as many lines and bytes as a request, and no line is lost between two parts", async () => {
  const lines = Array.from({ length: 1_203 }, (_, at) => `${at} ${"é".repeat((at * 37) % 3_000)}`);
  const parts = await partsOf(lines.join("\n"));
  expect(parts.flat().map((line) => textOf(line))).toEqual(lines);
  expect(parts.flat().map(({ number }) => number)).toEqual(lines.map((_, at) => at + 1));
  const offsets = lines.map((_, at) =>
    Buffer.byteLength(
      lines
        .slice(0, at)
        .map((each) => `${each}\n`)
        .join(""),
    ),
  );
  expect(parts.flat().map(({ offset }) => offset)).toEqual(offsets);
  for (const part of parts) {
    const body = joined(part);
    expect(new TextDecoder().decode(body)).toBe(part.map(textOf).join("\n"));
    expect(body.length).toBeLessThanOrEqual(maxBodyBytes);
    expect(part.length).toBeLessThanOrEqual(maxImportLines);
  }
  expect(parts.length).toBeGreaterThan(3);
  expect((await partsOf("a\n".repeat(1_100))).map(({ length }) => length)).toEqual([500, 500, 100]);
});

test.each([-2, -1, 0, 1, 2])("a line feed %s bytes beside the end of a part ends its line once", async (distance) => {
  const first = "a".repeat(1_000);
  const second = "b".repeat(maxBodyBytes - first.length - 2 + distance);
  expect(await linesIn(`${first}\n${second}\nc\n`)).toEqual([
    [1, first],
    [2, second],
    [3, "c"],
  ]);
});

test("a line that is longer than a request has no bytes, and the lines after it are found", async () => {
  for (const length of [maxBodyBytes + 1, 3 * maxBodyBytes, 3 * maxBodyBytes + 1]) {
    const expected = [
      [1, "a"],
      [2, null],
      [3, "c"],
    ];
    expect(await linesIn(`a\n${"b".repeat(length)}\nc`)).toEqual(expected);
    expect(await linesIn(`a\n${"b".repeat(length)}`)).toEqual(expected.slice(0, 2));
  }
  expect(await linesIn("b".repeat(maxBodyBytes))).toEqual([[1, "b".repeat(maxBodyBytes)]]);
});

test("bytes that are no UTF-8 stay as they are", async () => {
  const [[line] = []] = await partsOf(new Uint8Array([0xff, 0x22, 0x0a]));
  expect([...(line?.bytes ?? [])]).toEqual([0xff, 0x22]);
});
