/** The error in the output of a PostgreSQL program; undefined if there is no output. */
export function reasonIn(said: string): string | undefined {
  const lines = said.trim().split("\n");
  const fatal = lines.find((line) => /\b(FATAL|PANIC|error): /.test(line)) ?? lines.at(-1);
  return fatal?.replace(/^.*?\b(FATAL|PANIC|error): +/, "").replace(/\.$/, "") || undefined;
}
