/** The end of the id: ids start with their time, so the start is similar for neighbours. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;
