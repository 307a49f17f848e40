/** Ends the program with one line, unless all it needs is there. */
export function needs(usage: string, ...given: (string | undefined)[]): void {
  if (given.every(Boolean)) return;
  console.error(`usage: ${usage}`);
  process.exit(2);
}
