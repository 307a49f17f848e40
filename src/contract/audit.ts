/** The audit log: changes of the organisation's rows, with their actors. Beyond the specification. */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { page, paging, time, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const actor = z
  .enum(["key", "platform_key", "invitation", "approval", "hook", "executor", "worker", "operator", "system"])
  .meta({
    id: "AuditActor",
    description:
      "What asked: an API key; a platform key; the link of an invitation or of an approval; a post to a hook; who carries " +
      "out runs; the worker, by the clock; an operator of the service; or the service's installation itself.",
  });

const action = z.enum(["created", "updated", "deleted"]).meta({ id: "AuditAction" });

/** As sql/audit/logged_tables.sql names them. */
const resource = z
  .enum([
    ...([
      "organisation",
      "member",
      "invitation",
      "key",
      "bot",
      "memory",
      "run",
      "approval",
      "routine",
      "hook",
    ] as const),
    ...(["webhook", "delivery", "erasure", "restriction"] as const),
  ])
  .meta({ id: "AuditResource" });

const values = z.record(z.string(), z.unknown()).nullable();

const AuditEntry = z
  .object({
    id: uuid,
    sequence: z.int().meta({ description: "From 1, without a gap, in the order in which things were done." }),
    createdAt: timestamp,
    actor,
    keyId: uuid
      .nullable()
      .meta({ description: "Of the key; or of the invitation, approval or hook, as `actor` says." }),
    userId: uuid.nullable().meta({ description: "Whose key, invitation or approval it was." }),
    operator: z.string().nullable().meta({ description: "The name of the operator's credential." }),
    reason: z.string().nullable().meta({ description: "Why an operator did it." }),
    requestId: uuid.nullable().meta({ description: "The `X-Request-Id` of the answer." }),
    action,
    resource,
    resourceId: uuid.nullable().meta({ description: "Of a member the person's; null of what has no id." }),
    changed: z.array(z.string()).meta({ description: "What an update changed, also where values are not kept." }),
    before: values.meta({ description: "Values as they were: ids, states, roles, limits and times, never words." }),
    after: values.meta({ description: "Values as they are since then." }),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: "SHA-256 over the hash of the entry before it and all of this one." }),
  })
  .meta({
    id: "AuditEntry",
    examples: [
      {
        id: ids.event,
        sequence: 41,
        createdAt: times.created,
        actor: "key",
        keyId: ids.key,
        userId: ids.owner,
        operator: null,
        reason: null,
        requestId: ids.request,
        action: "updated",
        resource: "member",
        resourceId: ids.member,
        changed: ["role"],
        before: { role: "member" },
        after: { role: "admin" },
        hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      },
    ],
  });

export const audit = [
  operation({
    name: "list_audit",
    method: "get",
    path: "/audit",
    scope: "admin",
    status: 200,
    summary: "List what was done",
    description:
      "Every change of the organisation's rows: when, who, by which key, in which request, and which fields. Words, names, " +
      "addresses and secrets are not in it. Entries are chained by their hashes and kept for a year, unless the service " +
      "is set otherwise. A filter that few entries pass is quick with `resourceId`, or with `since` close by.",
    query: z.object({
      ...paging,
      actor: actor.optional().meta({ description: "Of what asked so." }),
      action: action.optional().meta({ description: "Of what was done." }),
      resource: resource.optional().meta({ description: "Of what it was done to." }),
      resourceId: uuid.optional().meta({ description: "Of this row." }),
      userId: uuid.optional().meta({ description: "Of this person's keys, invitations and approvals." }),
      keyId: uuid.optional().meta({ description: "By this credential." }),
      requestId: uuid.optional().meta({ description: "Of one request." }),
      since: time.optional().meta({ description: "From this instant on." }),
      until: time.optional().meta({ description: "Before this instant." }),
    }),
    list: true,
    reply: page(AuditEntry),
  }),
];
