/**
 * The command line for integrators. It is a client of the API and loads no part of the service, so it is also in the
 * package of the client. (docs/integrators.md)
 */
import { createInterface } from "node:readline/promises";
import { BotsteadError, createClient } from "../client/index.ts";
import { printError, print as printText } from "../terminal.ts";
import { type Command, clientOf, parse, print, required } from "./arguments.ts";
import { api, events, runs } from "./calls.ts";
import { completions } from "./completion.ts";
import { downloadExport } from "./export.ts";
import { kindOf } from "./kinds.ts";
import { forward } from "./listen.ts";
import { isHttp, NotLoggedIn, removeLogin, storeLogin } from "./login.ts";
import { keptSecret } from "./secret.ts";
import { withoutEndpoint } from "./subscriptions.ts";
import { makeEvent } from "./trigger.ts";
import { Usage } from "./usage.ts";

const usage = `Usage:
  botstead login --url URL          store an API key; it is read from standard input
  botstead logout                   remove it
  botstead listen --forward-to URL  post events to a local address, signed; --events a,b --secret whsec_…
  botstead trigger EVENT            make an event happen; --bot ID, --webhook ID, --member ID
  botstead events tail              print events as they happen; --event KIND --after CURSOR
  botstead runs start               start a run; --bot ID --message TEXT
  botstead runs watch ID            print the events of a run until it ends
  botstead api METHOD PATH          any call; --data JSON
  botstead export FOLDER            download an export of the organisation; run again to continue
  botstead completion SHELL         a script for bash, zsh or fish
--json prints JSON, one value a line. BOTSTEAD_URL and BOTSTEAD_KEY have priority over the login.
Exit codes: 0 done; 1 failed; 2 wrong usage; 3 no login, or the key was refused; 4 the run did not complete.`;

async function readKey(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) printError("API key, not shown: ");
  // Without an output the terminal of readline echoes nothing.
  const lines = createInterface({ input: stdin, terminal: stdin.isTTY });
  const [key = ""] = (await lines[Symbol.asyncIterator]().next()).value?.split("\n") ?? [];
  lines.close();
  if (stdin.isTTY) printError("\n");
  return key.trim();
}

const login: Command = async (_words, { url, json }) => {
  const baseUrl = required(url, "--url");
  if (!isHttp(baseUrl)) throw new Usage("--url must be an http or https URL.");
  const key = await readKey();
  if (!/^bsk_[0-9A-Za-z]+$/.test(key)) throw new Usage("Standard input must have an API key, bsk_….");
  const { organisation } = await createClient({ baseUrl, key }).get("/me");
  const place = storeLogin({ url: baseUrl, key }, process.env);
  print(json, { organisationId: organisation.id, place }, `Logged in to ${organisation.name}. The key is in ${place}.`);
  return 0;
};

const listen: Command = async (_words, given) => {
  const forwardTo = required(given["forward-to"], "--forward-to");
  if (!isHttp(forwardTo)) throw new Usage("--forward-to must be an http or https URL.");
  const kinds = given.events?.split(",").map(kindOf);
  const client = clientOf();
  for (const kind of await withoutEndpoint(client, kinds ?? [])) {
    printError(`No endpoint subscribes to ${kind}. It is written only while one does, as during botstead trigger.\n`);
  }
  const secret = given.secret ?? keptSecret(process.env);
  print(given.json, { forwardTo, secret }, `Forwarding to ${forwardTo}\nSigning secret: ${secret}`);
  await forward({
    client,
    forwardTo,
    events: kinds,
    secret,
    signal: new AbortController().signal, // ends with the process
    onPosted: (posted) =>
      print(
        given.json,
        posted,
        `${posted.statusCode ?? posted.failure}  ${posted.durationMs} ms  ${posted.event}  ${posted.id}`,
      ),
  });
  return 0;
};

const trigger: Command = async ([event = ""], { bot, webhook, member, json }) => {
  const done = await makeEvent(clientOf(), kindOf(event), { bot, webhook, member });
  print(json, { event, done }, `${event}: ${done}.`);
  return 0;
};

const exportAll: Command = async ([folder], { json }) => {
  const done = await downloadExport(clientOf(), required(folder, "A folder"), ({ part, lines }) =>
    printError(`Part ${part}: ${lines} rows\n`),
  );
  print(json, done, `${done.parts} parts are in ${folder}. botstead audit verify --export ${folder} verifies them.`);
  return 0;
};

const commands: Record<string, Command> = {
  login,
  logout: async () => {
    removeLogin(process.env);
    return 0;
  },
  listen,
  trigger,
  events,
  runs,
  api,
  export: exportAll,
  completion: async ([shell = ""]) => {
    if (!Object.hasOwn(completions, shell)) throw new Usage("The shell must be bash, zsh or fish.");
    printText(completions[shell] ?? "");
    return 0;
  },
};

function causes({ code, reason, requestId }: BotsteadError): string {
  const known = [code, reason, requestId && `request ${requestId}`].filter(Boolean);
  return ` (${known.join(", ")})`;
}

/** @returns the exit code */
export async function main([command = "", ...args]: string[]): Promise<number> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(); // a reader such as head has enough
  });
  try {
    const { values, positionals } = parse(args);
    const perform = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (values.help || !perform) {
      (values.help || !command || command === "--help" ? printText : printError)(`${usage}\n`);
      return values.help || command === "--help" ? 0 : 2;
    }
    return await perform(positionals, values);
  } catch (error) {
    printError(`${(error as Error).message}${error instanceof BotsteadError ? causes(error) : ""}\n`);
    if (error instanceof Usage) return 2;
    if (error instanceof NotLoggedIn || (error instanceof BotsteadError && error.status === 401)) return 3;
    return 1;
  }
}
