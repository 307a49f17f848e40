/** Who runs a command and why, as SQL reads it (sql/operator/commands.sql). */
export type Attribution = { by: string; reason?: string | undefined };

/** Statement and values that set both for a session. */
export const attributionOf = ({ by, reason = "" }: Attribution): [text: string, values: string[]] => [
  "select set_config('caller.command_by', $1, false), set_config('caller.command_reason', $2, false)",
  [by, reason],
];
