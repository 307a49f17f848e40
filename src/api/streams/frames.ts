/** Parses the answer of api.watch_run into server-sent events. (sql/api/run_events.sql) */

/** One server-sent event: its number, and its text including the empty line at the end. */
export type Frame = { number: number; text: string; isEnd: boolean };

/** The maximum of events per run in one answer. A full answer means that more events may exist. */
export const maxFrames = 50;

const idLength = 36;

/** `readsConversation` is known only if deltas were wanted. */
export type Seen = { frames: Frame[]; readsConversation: boolean };

/** Events after the requested position, by run id. A run that the key may not read is missing. */
export function readLines(answer: string): Map<string, Seen> {
  const runs = new Map<string, Seen>();
  for (const line of answer.split("\n")) {
    const id = line.slice(0, idLength);
    const seen = runs.get(id);
    if (!seen) runs.set(id, { frames: [], readsConversation: line[idLength] === "+" });
    else seen.frames.push(readFrame(line.slice(idLength + 1)));
  }
  return runs;
}

function readFrame(line: string): Frame {
  const name = line.indexOf(" ") + 1;
  const data = line.indexOf(" ", name) + 1;
  const [number, event] = [line.slice(0, name - 1), line.slice(name, data - 1)];
  return {
    number: Number(number),
    text: `id: ${number}\nevent: ${event}\ndata: ${line.slice(data)}\n\n`,
    isEnd: event === "end",
  };
}
