/** The target of a request below /api/v1: a path, and a query, which is all behind the first "?", others of them too. */
export function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path, query: new URLSearchParams(target.slice(path.length)) };
}
