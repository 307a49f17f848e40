/** Splits a target below /api/v1 at the first "?". */
export function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path, query: new URLSearchParams(target.slice(path.length)) };
}
