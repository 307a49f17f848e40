/** The audit log: changes of the organisation's rows, with their actors. (docs/specification/audit-log.md) */
import { z } from "zod";
import { enumerations } from "./enumerations.ts";
import { ids, times } from "./examples.ts";
import { page, paging, time, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const actor = z.enum(enumerations.AuditActor).meta({
  id: "AuditActor",
  description:
    "The kind of actor. `key`, `platform_key`, `portal_session`, `invitation`, `approval` and `hook` are credentials. " +
    "`executor` carries out runs, `worker` performs scheduled work, `operator` is an operator of the service, " +
    "`system` is the installation.",
});

const action = z.enum(enumerations.AuditAction).meta({ id: "AuditAction", description: "What happened to the row." });

/** The same names as in sql/audit/logged_tables.sql. */
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
    ...([
      "webhook",
      "audit_stream",
      "portal_session",
      "delivery",
      "erasure",
      "export",
      "restriction",
      "limit",
      "audit_log",
      "service",
    ] as const),
  ])
  .meta({ id: "AuditResource", description: "What kind of row changed." });

const values = z.record(z.string(), z.unknown()).nullable();

export const exampleEntry = {
  id: ids.auditEntry,
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
};

export const AuditEntry = z
  .object({
    id: uuid,
    sequence: z.int().meta({ description: "Position in the organisation's audit log, from 1 without gaps." }),
    createdAt: timestamp,
    actor,
    keyId: uuid
      .nullable()
      .meta({ description: "Id of the credential: a key, or the invitation, approval or hook that `actor` names." }),
    userId: uuid.nullable().meta({ description: "The person of the key, invitation or approval." }),
    operator: z.string().nullable().meta({ description: "Name of the operator's token." }),
    reason: z.string().nullable().meta({ description: "The reason that the operator gave." }),
    requestId: uuid.nullable().meta({ description: "The `X-Request-Id` of the response." }),
    action,
    resource,
    resourceId: uuid
      .nullable()
      .meta({ description: "Id of the row; for a member the person's `userId`. Null for a resource without an id." }),
    changed: z
      .array(z.string())
      .meta({ description: "Names of the changed fields, including fields whose values are not logged." }),
    before: values.meta({
      description: "Values before the change: ids, states, roles, limits and times. Texts are not logged.",
    }),
    after: values.meta({ description: "Values after the change, of the same fields." }),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: "SHA-256 over the previous entry's hash and this entry, as lower-case hex." }),
  })
  .meta({
    id: "AuditEntry",
    examples: [exampleEntry],
  });

export const exampleProof = {
  entryId: ids.auditEntry,
  previousHash: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
  content: `key\n${ids.key}\n${ids.owner}\nNULL\nNULL\n${ids.request}\nupdated\nmember\n${ids.member}\n{role}\n{"role" : "member"}\n{"role" : "admin"}`,
  leaf: `botstead audit entry v1\n${ids.organisation}\n41\n9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n`,
  leafIndex: 1,
  treeSize: 2,
  hashes: ["bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0="],
  checkpoint:
    "api.example.com/audit\n2\n+sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU=\n\n— api.example.com/audit 1a2b3c4d…\n",
};

export const checkpoint = z.string().meta({
  description: "The signed head of the tree, a signed note, with the signatures of witnesses.",
});

const AuditProof = z
  .object({
    entryId: uuid,
    previousHash: z.string().meta({
      description: "`hash` of the previous entry. Before the first one: the SHA-256 of the organisation's id.",
    }),
    content: z.string().meta({
      description:
        "The content of the entry as one text. `hash` is the SHA-256 of the bytes of `previousHash`, then four texts with " +
        "line " +
        "breaks between them: the organisation's id, `sequence`, `entryId` and `content`.",
    }),
    leaf: z.string().meta({
      description:
        "The leaf of the entry in the tree: a line with the format, then the organisation's id, `sequence` and `hash`.",
    }),
    leafIndex: z.int().meta({ description: "The place of the leaf in the tree, from 0." }),
    treeSize: z.int().meta({ description: "The number of leaves of the checkpoint's tree." }),
    hashes: z.array(z.string()).meta({
      description: "The inclusion proof of RFC 6962, from the leaf to the root: SHA-256 hashes in base64, at most 32.",
    }),
    checkpoint,
  })
  .meta({
    id: "AuditProof",
    examples: [exampleProof],
  });

export const audit = [
  operation({
    name: "list_audit",
    method: "get",
    path: "/audit",
    scope: "admin",
    status: 200,
    summary: "List audit log entries",
    searchTerms:
      "who did what, who changed, trail, history, activity, security, compliance, settings, when, who deleted, " +
      "who created, created by, blame, yesterday, last week, who did it, who broke it, who touched it, " +
      "by whom, this morning, culprit, suspicious, when was it changed, who created the key, " +
      "who revoked the token, who made the webhook, who deleted the bot, who changed the routine, " +
      "has anyone touched, over the weekend, who was it, who gave access, who invited",
    description:
      "Lists every change of the organisation's rows: the time, the actor, the credential, the request and the " +
      "changed fields. Texts, names, addresses and secrets are not logged.\n\nEach entry contains the hash of the " +
      "previous one. Entries are kept for one year by default. A filter that matches few entries is fast " +
      "together with `resourceId` or a recent `since`.",
    query: z.object({
      ...paging,
      actor: actor.optional().meta({ description: "Returns only changes by this kind of actor." }),
      action: action.optional().meta({ description: "Returns only changes of this type." }),
      resource: resource.optional().meta({ description: "Returns only changes of this type of resource." }),
      resourceId: uuid.optional().meta({ description: "Returns only changes of this row." }),
      userId: uuid
        .optional()
        .meta({ description: "Returns only changes by keys, invitations and approvals of this person." }),
      keyId: uuid.optional().meta({ description: "Returns only changes by this credential." }),
      requestId: uuid.optional().meta({ description: "Returns only changes by this request." }),
      since: time.optional().meta({ description: "Returns only entries created at or after this time." }),
      until: time.optional().meta({ description: "Returns only entries created before this time." }),
    }),
    list: true,
    reply: page(AuditEntry),
  }),
  operation({
    name: "get_audit_proof",
    method: "get",
    path: "/audit/{id}/proof",
    scope: "admin",
    status: 200,
    summary: "Retrieve proof of audit log entry",
    searchTerms:
      "tamper, tampered, integrity, verify, unchanged, hash, Merkle tree, evidence, compliance, prove, proof, " +
      "auditor, court, manipulated, forged",
    description:
      "Proves that the entry is part of the tree over all entries whose head was signed last. Entries join the tree " +
      "within about a minute. The proof can be verified without the service, with its public key.",
    reply: AuditProof,
    refusals: ["not_found"],
    reasons: ["entry_not_in_checkpoint"],
  }),
];
