/** Inbound webhooks. (Beyond the specification; docs/specification/hooks.md#ownership.) */
import { z } from "zod";
import { automationState, pauseReason } from "./automation-fields.ts";
import { ids, secrets, times } from "./examples.ts";
import { changes, Deleted, page, paging, timestamp, uuid } from "./fields.ts";
import { name } from "./names.ts";
import { operation } from "./operation.ts";

const exampleHook = {
  id: ids.hook,
  botId: ids.bot,
  name: "Alerts of the crane",
  path: `/api/v1/hooks/${ids.hook}/receive`,
  state: "active",
  pauseReason: null,
  lastReceivedAt: null,
  lastRunId: null,
  createdBy: ids.owner,
  createdAt: times.created,
};

const Hook = z
  .object({
    id: uuid,
    botId: uuid,
    name: z.string(),
    path: z.string().meta({ description: "Where to post, on this server." }),
    state: automationState,
    pauseReason: pauseReason
      .nullable()
      .meta({ description: "Why it was paused by itself; null where a person did it." }),
    lastReceivedAt: timestamp.nullable().meta({ description: "When a post last started a run." }),
    lastRunId: uuid.nullable(),
    createdBy: uuid.meta({ description: "In whose name its runs go, into their conversation with the bot." }),
    createdAt: timestamp,
  })
  .meta({ id: "Hook", examples: [exampleHook] });

const HookShownOnce = Hook.extend({
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
    .meta({ description: "Signs what is posted. It is in this answer and in no other: keep it now." }),
}).meta({ id: "HookShownOnce", examples: [{ ...exampleHook, secret: secrets.signing }] });

const NewHook = z
  .object({ botId: uuid, name: name(60) })
  .meta({ id: "NewHook", examples: [{ botId: exampleHook.botId, name: exampleHook.name }] });

const HookChanges = changes({ name: name(60), state: automationState }).meta({
  id: "HookChanges",
  examples: [{ state: "paused" }],
});

export const hooks = [
  operation({
    name: "list_hooks",
    method: "get",
    path: "/hooks",
    scope: "admin",
    status: 200,
    summary: "List the inbound webhooks of bots that the key's person sees",
    description: "No row holds the signing secret.",
    query: z.object({ ...paging, botId: uuid.optional().meta({ description: "Only hooks of this bot." }) }),
    list: true,
    reply: page(Hook),
  }),
  operation({
    name: "create_hook",
    method: "post",
    path: "/hooks",
    scope: "admin",
    status: 201,
    summary: "Make an address that other systems post to; its signing secret is shown once",
    description:
      "What is posted there, signed with the secret in this answer, is said to the bot in the conversation of the key's " +
      "person, by a tainted run with the trigger `webhook`: see `POST /hooks/{id}/receive`. `not_found` when the person does " +
      "not see the bot or may not talk to it; `quota_exceeded` with 10 hooks.",
    body: NewHook,
    reply: HookShownOnce,
    secret: "signing-secret",
    location: "/hooks/",
    refusals: ["not_found"],
    reasons: ["limit_hooks"],
  }),
  operation({
    name: "get_hook",
    method: "get",
    path: "/hooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Read an inbound webhook",
    description: "When it last started a run, and why it takes nothing if it does not.",
    pointRead: true,
    reply: Hook,
    refusals: ["not_found"],
  }),
  operation({
    name: "update_hook",
    method: "patch",
    path: "/hooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Rename, pause or resume an inbound webhook",
    description:
      "Its runs act for its creator, so other admins may pause it and no more: `forbidden`. What is posted to " +
      "a paused one is answered with `conflict`.",
    body: HookChanges,
    reply: Hook,
    refusals: ["not_found"],
    reasons: ["not_creator"],
  }),
  operation({
    name: "delete_hook",
    method: "delete",
    path: "/hooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Delete an inbound webhook; its runs stay",
    description: "What is posted there from now on is answered as if it had never been.",
    reply: Deleted,
    refusals: ["not_found"],
  }),
  operation({
    name: "rotate_hook_secret",
    method: "post",
    path: "/hooks/{id}/rotate",
    scope: "admin",
    status: 200,
    summary: "Replace the signing secret of an inbound webhook at once; the new one is shown once",
    description: "What is signed with the old one is refused from now on. `forbidden` for all but who made the hook.",
    reply: HookShownOnce,
    secret: "signing-secret",
    refusals: ["not_found"],
    reasons: ["not_creator"],
  }),
];
