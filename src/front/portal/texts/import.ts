/** The English texts of the import of memories. */
import type { Schemas } from "../schemas.ts";

type Refusal = NonNullable<Schemas["ImportResult"]["error"]>;
type Part = { first: number; last: number };

const count = (value: number) => value.toLocaleString();
const lines = ({ first, last }: Part) =>
  first === last ? `Line ${count(first)}` : `Lines ${count(first)} to ${count(last)}`;

export const importTexts = {
  title: "Import memories",
  link: "Import",
  back: "All memories",
  section: "File",
  text:
    "Each line of the file is one memory as JSON. Its externalId is your id of it. What is stored already stays as it is, so the " +
    "same file can be imported again.",
  example: {
    label: "line",
    line: '{"externalId":"handbook-17","scope":"organisation","kind":"policy","subject":"Opening hours","value":"We open at nine."}',
  },
  mayNot: "Owners and admins import memories. This session cannot.",
  file: "File with JSON lines",
  fileHint: "For example of an export. Stay on this page until the import has ended.",
  begin: "Import",
  stop: "Stop",
  continue: "Continue",
  again: "Try again",
  leaveOut: "Continue without these lines",
  another: "Choose another file",
  progress: "Part of the file that is done",
  sending: (part: Part) => `${lines(part)} …`,
  waiting: (part: Part) => `${lines(part)}: waiting, because these are many requests. The import continues by itself …`,
  finished: (all: number) => `The import has ended. Lines: ${count(all)}.`,
  /** The answer for the part is missing. */
  unknown: (part: Part) => `${lines(part)} may be stored or not. They are sent again, and nothing is stored twice.`,
  notStored: (part: Part) => `${lines(part)} and what follows are not imported.`,
  stopped: "Stopped.",
  unaccepted: (part: Part) =>
    `${lines(part)} and what follows are not imported, because the lines below are not accepted. Correct them in the file and ` +
    "choose it again, or continue without them.",
  result: "Result",
  unreadable: "The file cannot be read any more. Choose it again.",
  unknownLine: "The service has answered for a line that was not sent.",
  line: "The line",
  counts: { created: "Created", unchanged: "Stored already", refused: "Refused" },
  list: {
    unaccepted: "Lines that are not accepted",
    refused: "Refused lines",
    columns: { line: "Line", reason: "Reason", code: "Code", memory: "Memory" },
    memory: "the stored memory",
  },
  reasons: {
    not_found: "The bot does not exist, or you cannot see it.",
    external_id_taken: "The stored memory of this externalId has other content.",
    conflict: "The memory was deleted at the same moment. Import the file again.",
  } satisfies Partial<Record<Refusal["code"] | NonNullable<Refusal["reason"]>, string>> as Record<string, string>,
};
