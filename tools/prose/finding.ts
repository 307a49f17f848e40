/** What the prose check reports: one line each. */
export type Finding = { file: string; line: number; level: "error" | "warning"; message: string };
