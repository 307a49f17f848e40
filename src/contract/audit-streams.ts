/** The stream of the audit log to an endpoint, and the body of its parts. (docs/specification/audit-log.md#stream) */
import { z } from "zod";
import { AuditEntry, checkpoint, exampleEntry, exampleProof } from "./audit.ts";
import { failure } from "./deliveries.ts";
import { ids, secrets, times } from "./examples.ts";
import { changes, Deleted, secretLostSince, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";
import { disabledReason } from "./opt-in-events.ts";
import { revisionIgnoring } from "./revision.ts";
import { endpointUrl, shownSecret } from "./webhook-fields.ts";
import { reachableUrl } from "./webhooks.ts";

const format = z.enum(["entries", "ocsf"]).meta({
  id: "AuditStreamFormat",
  description: "`entries`: as `GET /audit` returns them. `ocsf`: events of OCSF 1.3, class Entity Management (3004).",
});
const afterEntryId = uuid.nullable().meta({
  description: "The last entry that the receiver has. The next part begins after it. Null: with the oldest entry.",
});

const example = {
  id: ids.auditStream,
  url: "https://siem.harbour.example/botstead",
  format: "entries",
  state: "active",
  afterEntryId: ids.auditEntry,
  afterSequence: 41,
  consecutiveFailures: 0,
  failingSince: null,
  secretLostSince: null,
  lastStatusCode: 200,
  lastFailure: null,
  nextAttemptAt: null,
  disabledReason: null,
  disabledAt: null,
  createdAt: times.created,
  lastDeliveryAt: times.finished,
};

const AuditStream = z
  .object({
    id: uuid,
    url: z.string().meta({ description: "Address that receives the parts." }),
    format,
    state: z.enum(["active", "paused", "disabled"]).meta({
      id: "AuditStreamState",
      description: "Entries wait while the stream is `paused` or `disabled`, until retention drops them.",
    }),
    afterEntryId,
    afterSequence: z.int().meta({ description: "Sequence of `afterEntryId`. 0: none." }),
    consecutiveFailures: z.int().meta({
      description:
        "Rounds of attempts in a row that failed; 10 disable the stream. A successful attempt resets the number.",
    }),
    failingSince: timestamp.nullable().meta({
      description: "Time since which attempts fail. Null if the last attempt succeeded, and before the first.",
    }),
    secretLostSince: secretLostSince("Entries wait"),
    lastStatusCode: z.int().nullable().meta({ description: "HTTP status of the last attempt." }),
    lastFailure: failure.nullable().meta({ description: "Why the last attempt failed, if no status explains it." }),
    nextAttemptAt: timestamp.nullable().meta({ description: "Time of the next attempt after a failed one." }),
    disabledReason: disabledReason.nullable(),
    disabledAt: timestamp.nullable(),
    createdAt: timestamp,
    lastDeliveryAt: timestamp.nullable().meta({ description: "Time of the last 2xx response." }),
  })
  .meta({ id: "AuditStream", examples: [example] });

const AuditStreamShownOnce = AuditStream.extend({ secret: shownSecret("parts") }).meta({
  id: "AuditStreamShownOnce",
  examples: [
    {
      ...example,
      afterEntryId: null,
      afterSequence: 0,
      lastStatusCode: null,
      lastDeliveryAt: null,
      secret: secrets.signing,
    },
  ],
});

const NewAuditStream = z
  .object({ url: endpointUrl, format: format.default("entries"), afterEntryId: afterEntryId.optional() })
  .meta({ id: "NewAuditStream", examples: [{ url: example.url, format: "entries" }] });

const AuditStreamChanges = changes({
  url: endpointUrl,
  format,
  afterEntryId: afterEntryId.meta({
    description: "Sends again what follows this entry, which was sent already. Null: everything.",
  }),
  state: z
    .enum(["active", "paused"])
    .meta({ description: "`paused`: entries wait. `active` also enables a disabled stream." }),
}).meta({ id: "AuditStreamChanges", examples: [{ state: "active" }] });

const examplePart = {
  id: ids.delivery,
  event: "audit.entries",
  createdAt: times.finished,
  organisationId: ids.organisation,
  data: {
    format: "entries",
    entries: [exampleEntry],
    contents: [exampleProof.content],
    proof: {
      previousHash: exampleProof.previousHash,
      dropped: null,
      leaves: [{ firstSequence: 41, lastSequence: 41, leafIndex: exampleProof.leafIndex, hashes: exampleProof.hashes }],
      checkpoint: exampleProof.checkpoint,
      consistency: null,
    },
  },
};

const hashes = z.array(z.string()).meta({ description: "SHA-256 hashes in base64." });

const first = z.int().meta({ description: "Sequence of the first entry." });
const last = z.int().meta({ description: "Sequence of the last entry." });

const proof = z
  .object({
    previousHash: z.string().nullable().meta({ description: "The hash of the entry before the first." }),
    dropped: z
      .object({ firstSequence: first, lastSequence: last })
      .nullable()
      .meta({ description: "Entries that retention dropped before they were sent. Usually null." }),
    leaves: z
      .array(
        z.object({
          firstSequence: first,
          lastSequence: last,
          leafIndex: z.int().meta({ description: "The place of the first leaf in the tree, from 0." }),
          hashes,
        }),
      )
      .meta({
        description:
          "Runs of entries that are neighbours in the tree, each with the hashes of the largest subtrees beside the run, " +
          "from left to right. The root follows from them and the leaves of the run.",
      }),
    checkpoint,
    consistency: z
      .object({ treeSize: z.int().meta({ description: "Size of the earlier tree." }), hashes })
      .nullable()
      .meta({
        description:
          "Proves that the tree extends the tree of the last part that was received (RFC 6962). Null in the first part, " +
          "and in the first part after a move to another database.",
      }),
  })
  .meta({ description: "What proves the entries." });

const partData = z
  .object({
    format,
    entries: z.array(z.union([AuditEntry, z.record(z.string(), z.unknown())])).meta({
      description: "Up to 100 entries in order, each as `GET /audit` returns it, or as an event of OCSF.",
    }),
    contents: z.array(z.string()).meta({
      description:
        "For each entry its `content`, as in `GET /audit/{id}/proof`. The hash of the entry follows from it.",
    }),
    proof,
  })
  .meta({ description: "The entries with their proof." });

const AuditPart = z
  .object({
    id: uuid.meta({ description: "Id of the part, the same for every attempt." }),
    event: z.literal("audit.entries"),
    createdAt: timestamp,
    organisationId: uuid,
    data: partData,
  })
  .meta({ id: "AuditPart", examples: [examplePart] });

/** Described beside the events, whose headers it has. No endpoint can subscribe to it. */
export const auditPart = {
  kind: "audit.entries",
  summary: "A part of the audit log",
  description: "Sent to the stream of the audit log, one part after the other. The next part follows a 2xx response.",
  body: AuditPart,
};

const revision = revisionIgnoring(
  "afterEntryId",
  "afterSequence",
  "consecutiveFailures",
  "failingSince",
  "secretLostSince",
  "lastStatusCode",
  "lastFailure",
  "nextAttemptAt",
  "lastDeliveryAt",
);

const path = "/audit/stream";

export const auditStreams = [
  operation({
    name: "create_audit_stream",
    method: "post",
    path,
    scope: "admin",
    status: 201,
    summary: "Create stream of audit log",
    searchTerms:
      "SIEM, Splunk, Sentinel, Datadog, Elastic, forward the log, send the log, ship logs, compliance, OCSF, export",
    description:
      "Sends the audit log to an endpoint, in order and in parts of up to 100 entries, signed with the secret in this " +
      "response. A part has what proves its entries. An entry is sent once it is in a checkpoint, within about a minute.",
    body: NewAuditStream,
    inspect: reachableUrl,
    reply: AuditStreamShownOnce,
    revision,
    secret: "signing-secret",
    location: path,
    refusals: ["not_found"],
    reasons: ["audit_stream_exists"],
  }),
  operation({
    name: "get_audit_stream",
    method: "get",
    path,
    scope: "admin",
    status: 200,
    summary: "Retrieve stream of audit log",
    searchTerms: "SIEM, Splunk, Sentinel, Datadog, log forwarding, is it sent, is it up to date, export of the log",
    description: "Returns the stream that sends the audit log to an endpoint, with the last entry that was received.",
    pointRead: true,
    reply: AuditStream,
    revision,
    refusals: ["not_found"],
  }),
  operation({
    name: "update_audit_stream",
    method: "patch",
    path,
    scope: "admin",
    status: 200,
    summary: "Update or pause stream of audit log",
    searchTerms: "send again, resend, replay, rewind, new address, other format, got switched off, stop sending",
    description:
      "Changes, pauses or resumes the stream. Requires at least one field. A resumed stream continues where it stopped. " +
      "Each attempt uses the current URL and secret.",
    body: AuditStreamChanges,
    inspect: reachableUrl,
    reply: AuditStream,
    revision,
    refusals: ["not_found"],
    reasons: ["endpoint_disabled", "entry_not_sent"],
  }),
  operation({
    name: "delete_audit_stream",
    method: "delete",
    path,
    scope: "admin",
    status: 200,
    summary: "Delete stream of audit log",
    searchTerms: "stop sending for ever, remove SIEM, disconnect",
    description: "Deletes the stream and its secret. The audit log stays.",
    reply: Deleted,
    refusals: ["not_found"],
  }),
  operation({
    name: "rotate_audit_stream_secret",
    method: "post",
    path: `${path}/rotate`,
    scope: "admin",
    status: 200,
    summary: "Rotate secret of audit stream",
    searchTerms: "signing key, signature, known to others, verification fails",
    description: "Replaces the signing secret at once. A part in progress is still signed with the old secret.",
    reply: AuditStreamShownOnce,
    revision,
    secret: "signing-secret",
    refusals: ["not_found"],
  }),
];
