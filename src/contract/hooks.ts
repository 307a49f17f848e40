/** Inbound webhooks. (docs/specification/hooks.md) */
import { z } from "zod";
import { automationState, pauseReason } from "./automation-fields.ts";
import { ids, secrets, times } from "./examples.ts";
import { changes, Deleted, page, paging, secretLostSince, timestamp, uuid } from "./fields.ts";
import { name } from "./names.ts";
import { operation } from "./operation.ts";
import { revisionIgnoring } from "./revision.ts";

const exampleHook = {
  id: ids.hook,
  botId: ids.bot,
  name: "Alerts of the crane",
  path: `/api/v1/hooks/${ids.hook}/receive`,
  state: "active",
  pauseReason: null,
  secretLostSince: null,
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
    path: z.string().meta({ description: "Path of the URL to post to, on this server." }),
    state: automationState,
    pauseReason: pauseReason
      .nullable()
      .meta({ description: "Why the service paused the hook. Null if a person paused it." }),
    secretLostSince: secretLostSince("Posts are refused with 503"),
    lastReceivedAt: timestamp.nullable().meta({ description: "Time of the last post that started a run." }),
    lastRunId: uuid.nullable(),
    createdBy: uuid.meta({ description: "The person on whose behalf runs start, in their conversation with the bot." }),
    createdAt: timestamp,
  })
  .meta({ id: "Hook", examples: [exampleHook] });

const HookShownOnce = Hook.extend({
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
    .meta({ description: "The secret that signs posts. Only this response contains it: store it now." }),
}).meta({ id: "HookShownOnce", examples: [{ ...exampleHook, secret: secrets.signing }] });

const NewHook = z
  .object({ botId: uuid, name: name(60) })
  .meta({ id: "NewHook", examples: [{ botId: exampleHook.botId, name: exampleHook.name }] });

const HookChanges = changes({ name: name(60), state: automationState }).meta({
  id: "HookChanges",
  examples: [{ state: "active" }],
});

const revision = revisionIgnoring("secretLostSince", "lastReceivedAt", "lastRunId");

export const hooks = [
  operation({
    name: "list_hooks",
    method: "get",
    path: "/hooks",
    scope: "read",
    status: 200,
    summary: "List hooks",
    searchTerms:
      "connected systems, which services, incoming alerts, what is connected, who can start our bots, " +
      "who sends to us",
    description: "Lists hooks of bots that the key's person can see, without their signing secrets.",
    query: z.object({ ...paging, botId: uuid.optional().meta({ description: "Returns only hooks of this bot." }) }),
    list: true,
    reply: page(Hook),
  }),
  operation({
    name: "create_hook",
    method: "post",
    path: "/hooks",
    scope: "admin",
    inPerson: true,
    status: 201,
    summary: "Create hook",
    searchTerms:
      "receive, connect, GitHub, Slack, Zapier, monitoring, trigger a bot or assistant from outside, " +
      "let another service start the bot, accept posts, Stripe, start from another program, form, Jira, " +
      "GitLab, sensor, ticket, wake, when a mail arrives, start the bot when, react to, whenever, new order, " +
      "call the bot, from our shop",
    description:
      "Creates an inbound webhook, by which another system starts runs. The system posts to its `path`, signed with the " +
      "secret in this response. " +
      "Each post becomes a message to the bot in the conversation of the key's person, and starts a tainted run " +
      "with the trigger `webhook`: see `POST /hooks/{id}/receive`.\n\nReturns `not_found` if the person cannot " +
      "see the bot or talk to it.",
    body: NewHook,
    reply: HookShownOnce,
    revision,
    secret: "signing-secret",
    location: "/hooks/",
    refusals: ["not_found"],
  }),
  operation({
    name: "get_hook",
    method: "get",
    path: "/hooks/{id}",
    scope: "read",
    status: 200,
    summary: "Retrieve hook",
    searchTerms: "status, nothing comes in, nothing arrives any more, last received, broken, quiet, alarms",
    description: "Returns the hook with the time of its last run. `pauseReason` states why the service paused it.",
    pointRead: true,
    reply: Hook,
    revision,
    refusals: ["not_found"],
  }),
  operation({
    name: "update_hook",
    method: "patch",
    path: "/hooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Update, pause or resume hook",
    searchTerms: "rename, ignore, too many",
    description:
      "Changes, pauses or resumes a hook. Another admin than the creator can only pause the hook. Posts to a paused hook " +
      "return `conflict`.",
    body: HookChanges,
    reply: Hook,
    revision,
    refusals: ["not_found"],
    reasons: ["not_creator"],
  }),
  operation({
    name: "delete_hook",
    method: "delete",
    path: "/hooks/{id}",
    scope: "admin",
    status: 200,
    summary: "Delete hook",
    searchTerms: "disconnect, unplug",
    description:
      "Deletes a hook. Posts to the path then return `unauthenticated`, as for a hook that never existed. Runs of the " +
      "hook are kept.",
    reply: Deleted,
    refusals: ["not_found"],
  }),
  operation({
    name: "rotate_hook_secret",
    method: "post",
    path: "/hooks/{id}/rotate",
    scope: "admin",
    inPerson: true,
    status: 200,
    summary: "Rotate hook secret",
    searchTerms: "signing key, signature, known to others",
    description:
      "Replaces the signing secret of a hook at once. Posts signed with the old secret return `unauthenticated`.",
    reply: HookShownOnce,
    revision,
    secret: "signing-secret",
    refusals: ["not_found"],
    reasons: ["not_creator"],
  }),
];
