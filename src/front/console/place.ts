/** The current address. It holds page, filters, time span and cursor, so that a shared link shows the same page. */
export type Place = { path: string; query: URLSearchParams };

/** Props of every page; params are the parts of the path that its pattern names. */
export type PageProps = { place: Place; params: Record<string, string> };

/** The current address with a changed query; undefined removes a parameter. Lists restart at their first page. */
export function hereWith(changes: Record<string, string | undefined>): string {
  const query = new URLSearchParams(location.search);
  query.delete("after");
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  return query.size > 0 ? `${location.pathname}?${query}` : location.pathname;
}
