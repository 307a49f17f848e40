/** What api.watch_run answers, and the form in which it goes out. (sql/api/run_events.sql) */

/** One event, as server-sent events write it: number, name and data, closed by an empty line. */
export type Frame = { number: number; text: string; isEnd: boolean };

/** At most as many events of one run come in one answer; when there are as many, there may be more. */
export const mostAtOnce = 50;

const lengthOfId = 36;

/** By the id of each run that is seen, what came after the place asked for. */
export function readLines(answer: string): Map<string, Frame[]> {
  const runs = new Map<string, Frame[]>();
  for (const line of answer.split("\n")) {
    const id = line.slice(0, lengthOfId);
    const frames = runs.get(id) ?? [];
    if (frames.length === 0) runs.set(id, frames);
    if (line.length > lengthOfId) frames.push(readFrame(line.slice(lengthOfId + 1)));
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
