/** The arguments of the command line for integrators, and its output. */
import { parseArgs } from "node:util";
import { type Client, createClient } from "../client/index.ts";
import { print as printText, safeJson } from "../terminal.ts";
import { readLogin } from "./login.ts";
import { Usage } from "./usage.ts";

const options = {
  url: { type: "string" },
  "forward-to": { type: "string" },
  events: { type: "string" },
  secret: { type: "string" },
  bot: { type: "string" },
  webhook: { type: "string" },
  member: { type: "string" },
  event: { type: "string" },
  after: { type: "string" },
  message: { type: "string" },
  data: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

type Given = ReturnType<typeof parse>["values"];
export type Command = (words: string[], given: Given) => Promise<number>;

export function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new Usage((error as Error).message);
  }
}

export const clientOf = (): Client => {
  const { url, key } = readLogin(process.env);
  return createClient({ baseUrl: url, key });
};

export const print = (json: boolean, value: unknown, text: string): void =>
  void printText(`${json ? safeJson(value) : text}\n`);

export function required(value: string | undefined, name: string): string {
  if (!value) throw new Usage(`${name} is required.`);
  return value;
}
