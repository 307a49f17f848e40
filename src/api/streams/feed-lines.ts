/** Parses the answer of a live feed into server-sent events. (sql/api_private/events.sql) */

/** A part of the feed. Cursors of one list sort as text. */
export type Page = {
  /** The position after the page. */
  cursor: string;
  hasMore: boolean;
  events: Line[];
};

type Line = { cursor: string; kind: string; text: string };

export function readPage(answer: string): Page {
  const [head = "", ...lines] = answer.split("\n");
  const [cursor = "", hasMore] = head.split(" ");
  return { cursor, hasMore: hasMore === "true", events: lines.map(readEvent) };
}

function readEvent(line: string): Line {
  const [cursor = "", kind = ""] = line.split(" ", 2);
  const data = line.slice(cursor.length + kind.length + 2);
  return { cursor, kind, text: `id: ${cursor}\nevent: ${kind}\ndata: ${data}\n\n` };
}
