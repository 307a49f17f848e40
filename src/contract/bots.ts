/** Bots. (docs/specification/bots.md.) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { changes, Deleted, page, paging, text, timestamp, uuid } from "./fields.ts";
import { name } from "./names.ts";
import { operation } from "./operation.ts";

const visibility = z
  .enum(["team", "personal"])
  .meta({ id: "BotVisibility", description: "A personal bot is visible to its owner alone." });
const directConversation = z
  .enum(["members", "owner"])
  .meta({ id: "DirectConversation", description: "Who may talk to it directly, and so start runs of it." });

export const exampleBot = {
  id: ids.bot,
  name: "Harbour guide",
  instructions: "Answer in one sentence.",
  model: "recall",
  visibility: "team",
  directConversation: "members",
  ownerId: ids.owner,
  createdAt: times.created,
};

const Bot = z
  .object({
    id: uuid,
    name: text(1, 60),
    instructions: text(0, 20_000),
    model: text(1, 100).meta({ description: "Which engine answers; `recall` is built in." }),
    visibility,
    directConversation,
    ownerId: uuid,
    createdAt: timestamp,
  })
  .meta({
    id: "Bot",
    examples: [exampleBot],
  });

const model = text(1, 100).meta({ description: "One that `GET /models` lists." });

const NewBot = z
  .object({
    name: name(60),
    instructions: text(0, 20_000).default(""),
    model: model.default("recall"),
    visibility: visibility.default("team"),
    directConversation: directConversation.default("members"),
  })
  .meta({ id: "NewBot", examples: [{ name: "Harbour guide", instructions: "Answer in one sentence." }] });

const BotChanges = changes({
  name: name(60),
  instructions: text(0, 20_000),
  model,
  visibility,
  directConversation,
}).meta({ id: "BotChanges", examples: [{ instructions: "Answer in two sentences." }] });

export const bots = [
  operation({
    name: "list_bots",
    method: "get",
    path: "/bots",
    scope: "read",
    status: 200,
    summary: "List the bots that the key's person sees",
    description: "Bots of the team, and the personal ones of the key's person.",
    query: z.object(paging),
    list: true,
    reply: page(Bot),
  }),
  operation({
    name: "create_bot",
    method: "post",
    path: "/bots",
    scope: "write",
    status: 201,
    summary: "Make a bot",
    description:
      "It belongs to the key's person. Start a run of it with `POST /runs`. `invalid_request` where `GET /models` does not " +
      "list its model.",
    body: NewBot,
    reply: Bot,
    location: "/bots/",
  }),
  operation({
    name: "get_bot",
    method: "get",
    path: "/bots/{id}",
    scope: "read",
    status: 200,
    summary: "Read a bot",
    description: "`not_found` also for the personal bot of somebody else.",
    pointRead: true,
    reply: Bot,
    refusals: ["not_found"],
  }),
  operation({
    name: "update_bot",
    method: "patch",
    path: "/bots/{id}",
    scope: "write",
    status: 200,
    summary: "Change a bot",
    description:
      "Name at least one field. Only its owner changes who sees a bot: `forbidden` for anybody else. A new model must be one " +
      "that `GET /models` lists.",
    body: BotChanges,
    reply: Bot,
    refusals: ["not_found"],
    reasons: ["not_bot_owner"],
  }),
  operation({
    name: "delete_bot",
    method: "delete",
    path: "/bots/{id}",
    scope: "write",
    status: 200,
    summary: "Delete a bot, its claims, and what it was still to do",
    description: "Its claims go with it and its runs that have not ended are cancelled; the runs stay to be read.",
    reply: Deleted,
    refusals: ["not_found"],
  }),
];
