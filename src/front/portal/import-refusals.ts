/** Lines of an import that were refused, with the API's reasons. */
import type { ApiError } from "../parts/api.ts";
import { refusalText } from "../parts/texts/refusals.ts";
import type { Line } from "./file-lines.ts";
import type { Schemas } from "./schemas.ts";
import { importTexts as texts } from "./texts/import.ts";

/** @property code the reason of the API, or its code. @property memory the stored memory of the external id */
export type RefusedLine = { line: number; code: string; reason: string; memory: string | null };

/** The API does not accept these lines, so nothing of their part is stored. */
export class UnacceptedLines extends Error {
  readonly lines: RefusedLine[];

  constructor(lines: RefusedLine[]) {
    super();
    this.lines = lines;
  }
}

type Code = NonNullable<Schemas["ImportResult"]["error"]>;

/** The line of a part that was stored, if it was refused. */
export function refusedBy({ line, error, id }: Schemas["ImportResult"], lines: Line[]): RefusedLine[] {
  if (!error) return [];
  const code = error.reason ?? error.code;
  return [{ line: numberOf(lines[line - 1]), code, reason: sentenceOf(error), memory: id }];
}

const sentenceOf = ({ code, reason }: Code): string =>
  texts.reasons[reason ?? code] ?? refusalText(code, reason) ?? reason ?? code;

/** The lines that a refusal of the part names, or its only line. */
export function badLines({ status, code, details, message }: ApiError, lines: Line[]): RefusedLine[] | undefined {
  const named = details.flatMap(({ path, message: fault }) => {
    const [, index, field] = /^body\.memories\.(\d+)\.?(.*)$/.exec(path) ?? [];
    return index === undefined ? [] : [bad(lines[Number(index)], code, `${field || texts.line} ${fault}.`)];
  });
  if (named.length > 0) {
    return [...Map.groupBy(named, ({ line }) => line)].map(([line, faults]) => ({
      ...{ line, code, memory: null },
      reason: faults.map(({ reason }) => reason).join(" "),
    }));
  }
  if (lines.length > 1 || ![400, 413].includes(status)) return undefined;
  return [bad(lines[0], code, details[0] ? `${texts.line} ${details[0].message}.` : message)];
}

export const tooLong = (line: Line): RefusedLine =>
  bad(line, "payload_too_large", refusalText("payload_too_large", null) ?? "");

const bad = (line: Line | undefined, code: string, reason: string): RefusedLine => ({
  ...{ line: numberOf(line), code, reason },
  memory: null,
});

/** @throws Error if the API names a line that was not sent */
function numberOf(line: Line | undefined): number {
  if (!line) throw new Error(texts.unknownLine);
  return line.number;
}
