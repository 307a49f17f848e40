/** Parses the answer of a live feed into server-sent events. (sql/api_private/events.sql) */

/** A part of the feed. Cursors of one list sort as text. */
export type Page = {
  /** The position after the page. */
  cursor: string;
  hasMore: boolean;
  /** Above all transactions that had begun when it was read. */
  begun: bigint;
  events: Line[];
};

type Line = { cursor: string; kind: string; text: string };

const tagLength = 8;
const transactionEnd = 24;

export function readPage(answer: string): Page {
  const [head = "", ...lines] = answer.split("\n");
  const [cursor = "", hasMore, begun = "0"] = head.split(" ");
  return { cursor, hasMore: hasMore === "true", begun: BigInt(begun), events: lines.map(readEvent) };
}

function readEvent(line: string): Line {
  const [cursor = "", kind = ""] = line.split(" ", 2);
  const data = line.slice(cursor.length + kind.length + 2);
  return { cursor, kind, text: `id: ${cursor}\nevent: ${kind}\ndata: ${data}\n\n` };
}

/** The transaction in a cursor: events of earlier transactions are before it. */
export function transactionOf(cursor: string): bigint {
  return BigInt(`0x${cursor.slice(tagLength, transactionEnd)}`);
}
