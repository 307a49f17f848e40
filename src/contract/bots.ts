/** Bots. (docs/specification/bots.md) */
import { z } from "zod";
import { enumerations } from "./enumerations.ts";
import { ids, times } from "./examples.ts";
import { changes, Deleted, page, paging, text, timestamp, uuid } from "./fields.ts";
import { name } from "./names.ts";
import { operation } from "./operation.ts";
import { revisionIgnoring } from "./revision.ts";

const visibility = z
  .enum(enumerations.BotVisibility)
  .meta({ id: "BotVisibility", description: "`personal`: visible only to its owner." });
const directConversation = z.enum(["members", "owner"]).meta({
  id: "DirectConversation",
  description: "Who can talk to the bot, and so start its runs: all members, or only its owner.",
});

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
    model: text(1, 100).meta({
      description: "The model that answers, as listed by `GET /models`. `recall` is built in.",
    }),
    visibility,
    directConversation,
    ownerId: uuid,
    createdAt: timestamp,
  })
  .meta({
    id: "Bot",
    examples: [exampleBot],
  });

const model = text(1, 100).meta({ description: "A model listed by `GET /models`." });

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

const revision = revisionIgnoring();

export const bots = [
  operation({
    name: "list_bots",
    method: "get",
    path: "/bots",
    scope: "read",
    status: 200,
    summary: "List bots",
    searchTerms: "who can answer, who can I ask, do we have",
    description: "Lists team bots and the personal bots of the key's person.",
    query: z.object({
      ...paging,
      deleted: z.enum(["true", "false"]).optional().meta({
        description:
          "`true`: returns only deleted bots, for the names of bots that runs refer to. Defaults to `false`.",
      }),
    }),
    list: true,
    reply: page(Bot),
  }),
  operation({
    name: "create_bot",
    method: "post",
    path: "/bots",
    scope: "write",
    status: 201,
    summary: "Create bot",
    searchTerms:
      "system prompt, clone, copy, duplicate, personal, private, for my team, only I see it, " +
      "with instructions, same instructions, one like it, specialised",
    description:
      "Creates a bot that the key's person owns. Start a run of the bot with `POST /runs`. Returns `invalid_request` " +
      "if `GET /models` does not list the model.",
    body: NewBot,
    reply: Bot,
    revision,
    location: "/bots/",
  }),
  operation({
    name: "get_bot",
    method: "get",
    path: "/bots/{id}",
    scope: "read",
    status: 200,
    summary: "Retrieve bot",
    searchTerms: "system prompt, settings, set up, configuration, which model, owner, how is it set up",
    description:
      "Returns the bot with its instructions and its model. Returns `not_found` for a personal bot of another person.",
    pointRead: true,
    reply: Bot,
    revision,
    refusals: ["not_found"],
  }),
  operation({
    name: "update_bot",
    method: "patch",
    path: "/bots/{id}",
    scope: "write",
    status: 200,
    summary: "Update bot",
    searchTerms:
      "system prompt, behaviour, settings, switch the model, share, rename, upgrade, improve, tune, " +
      "make it friendlier, tone, style, polite, rude, shorter answers, language, behave, personality, " +
      "talk differently, speak, answer longer, stop saying, rewrite the instructions, only for me, " +
      "for everyone, hide",
    description:
      "Changes the name, instructions, model or visibility of a bot. Requires at least one field. Returns " +
      "`invalid_request` if `GET /models` does not list the new model.",
    body: BotChanges,
    reply: Bot,
    revision,
    refusals: ["not_found"],
    reasons: ["not_bot_owner", "not_own_bot"],
  }),
  operation({
    name: "delete_bot",
    method: "delete",
    path: "/bots/{id}",
    scope: "write",
    status: 200,
    summary: "Delete bot",
    searchTerms: "retire",
    description: "Deletes the bot and its memories. Cancels its runs that have not ended, and keeps its runs readable.",
    reply: Deleted,
    refusals: ["not_found"],
    reasons: ["not_own_bot"],
  }),
];
