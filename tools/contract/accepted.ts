/** Changes that break a client of the last release and restore what the specification promises, each with its reason. */
export const accepted: Record<string, string> = {
  "GET /events 200.nextCursor is string or null, was string":
    "In every list null means the last page. A client that stored nextCursor reads position instead.",
};
