/** Bots. (decisions: "Bots".) */
import { z } from "zod";
import { changes, Deleted, page, paging, text, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const visibility = z.enum(["team", "personal"]);
const directConversation = z.enum(["members", "owner"]);

const Bot = z.object({
  id: uuid,
  name: text(1, 60),
  instructions: text(0, 20_000),
  model: text(1, 100),
  visibility,
  directConversation,
  ownerId: uuid,
  createdAt: timestamp,
});

const NewBot = z.object({
  name: text(1, 60),
  instructions: text(0, 20_000).default(""),
  model: text(1, 100).default("recall"),
  visibility: visibility.default("team"),
  directConversation: directConversation.default("members"),
});

const BotChanges = changes({
  name: text(1, 60),
  instructions: text(0, 20_000),
  model: text(1, 100),
  visibility,
  directConversation,
});

export const bots = [
  operation({
    name: "list_bots",
    method: "get",
    path: "/bots",
    scope: "read",
    status: 200,
    summary: "List the bots that the key's person sees",
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
    body: BotChanges,
    reply: Bot,
    refusals: ["not_found", "forbidden"],
  }),
  operation({
    name: "delete_bot",
    method: "delete",
    path: "/bots/{id}",
    scope: "write",
    status: 200,
    summary: "Delete a bot, its claims, and what it was still to do",
    reply: Deleted,
    refusals: ["not_found"],
  }),
];
