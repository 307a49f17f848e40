/** Commands that call the API and print what it returns. */

import { safeJson } from "../terminal.ts";
import { type Command, clientOf, print, required } from "./arguments.ts";
import { kindOf } from "./kinds.ts";
import { Usage } from "./usage.ts";

export const events: Command = async ([verb], { event, after, json }) => {
  if (verb !== "tail") throw new Usage("Use events tail.");
  const kind = event === undefined ? undefined : kindOf(event);
  for await (const { id, data } of clientOf().follow({ event: kind, after })) {
    print(json, { cursor: id, ...data }, `${data.createdAt}  ${data.event}  ${safeJson(data.data)}`);
  }
  return 0;
};

export const runs: Command = async ([verb, id], { bot, message, json }) => {
  const client = clientOf();
  if (verb === "start") {
    const body = { botId: required(bot, "--bot"), message: required(message, "--message") };
    const run = await client.post("/runs", { body });
    print(json, run, run.id);
    return 0;
  }
  if (verb !== "watch") throw new Usage("Use runs start or runs watch.");
  let state = "";
  for await (const happened of client.watch("/runs/{id}/events", { path: { id: required(id, "The id of a run") } })) {
    const { event, data } = happened;
    if (event === "state" || event === "end") ({ state } = data);
    const text =
      event === "message" ? data.text : event === "step" ? data.kind : event === "approval" ? data.kind : data.state;
    print(json, happened, `${happened.id}  ${event}  ${indented(text)}`);
  }
  return state === "completed" ? 0 : 4;
};

/** Further lines of a message are indented, so that none of them looks like an event. */
const indented = (text: string): string => text.replaceAll("\n", "\n    ");

export const api: Command = async ([method = "", path = ""], { data }) => {
  if (!/^(get|post|patch|delete)$/i.test(method) || !path.startsWith("/")) {
    throw new Usage("Use api GET, POST, PATCH or DELETE, and a path that begins with /.");
  }
  let body: unknown;
  try {
    body = data === undefined ? undefined : JSON.parse(data);
  } catch {
    throw new Usage("--data must be JSON.");
  }
  const answer = await clientOf().request(method.toLowerCase() as "get", path as "/me", { body } as never);
  print(true, answer.body, "");
  return 0;
};
