/** Changes that break a client of the last release and restore what the specification promises, each with its reason. */
export const accepted: Record<string, string> = {};
