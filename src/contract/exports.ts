/** Exports of an organisation by its owners. (docs/specification/exports.md) */
import { z } from "zod";
import { ids, times } from "./examples.ts";
import { page, paging, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const exampleExport = {
  id: ids.export,
  personId: ids.owner,
  state: "open",
  parts: 0,
  createdAt: times.created,
  expiresAt: times.inADay,
  finishedAt: null,
  manifest: null,
  manifestHash: null,
  auditEntryId: null,
};

const Export = z
  .object({
    id: uuid,
    personId: uuid.meta({ description: "`userId` of the owner who began the export, and who alone makes its parts." }),
    state: z.enum(["open", "finished", "expired"]).meta({ description: "State of the export." }),
    parts: z
      .int()
      .min(0)
      .meta({ description: "Number of parts that were made. 0 once it is finished: the manifest has it." }),
    createdAt: timestamp,
    expiresAt: timestamp.meta({ description: "When an open export ends: one day after its last new part." }),
    finishedAt: timestamp.nullable(),
    manifest: z
      .string()
      .nullable()
      .meta({
        description:
          "JSON text with the counts by table, what is left out and why, and the last hash of the chain of parts. Null until the " +
          "export is finished.",
      }),
    manifestHash: sha256
      .nullable()
      .meta({ description: "SHA-256 of the bytes of `manifest`, as lower-case hex. The audit log has it." }),
    auditEntryId: uuid.nullable().meta({
      description:
        "The entry of the audit log that has `manifestHash`, for `GET /audit/{id}/proof`. Null in the response that finishes it, " +
        "and for keys that cannot read the audit log.",
    }),
  })
  .meta({ id: "Export", description: "An export of the organisation.", examples: [exampleExport] });

const part = z.int().min(1).max(999_999).meta({ description: "Number of the part, from 1." });

const NewExportPart = z.object({ part }).meta({ id: "NewExportPart", examples: [{ part: 1 }] });

const ExportPart = z
  .object({
    part,
    lines: z.int().min(0).meta({ description: "Number of lines of `content`." }),
    hash: sha256.meta({ description: "SHA-256 of the bytes of `content` in UTF-8, as lower-case hex." }),
    chain: sha256.meta({
      description:
        "SHA-256 over four lines: `chain` of the previous part, `part`, `lines` and `hash`. Before the first part it is the SHA-256 " +
        "of three lines: `botstead export v1`, the organisation's id and the export's id. Each line ends with a line break.",
    }),
    isLast: z.boolean().meta({ description: "Whether the export has no further part." }),
    content: z.string().meta({
      description: "JSON lines: each row as an object with its `table` and its columns in `row`. May be empty.",
    }),
  })
  .meta({
    id: "ExportPart",
    examples: [
      {
        part: 1,
        lines: 1,
        hash: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        chain: "486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7",
        isLast: true,
        content: `{"table":"third_party_restrictions","row":{"organisationId":"${ids.organisation}","kind":"health"}}\n`,
      },
    ],
  });

const rights = "Only owners export, with a key of scope `admin` or in a portal session of their own.";

export const exports = [
  operation({
    name: "list_exports",
    method: "get",
    path: "/exports",
    scope: "read",
    inPerson: true,
    status: 200,
    summary: "List exports",
    searchTerms: "download, backup, our data, leave, portability",
    description: "Lists the exports of the organisation, newest first. Others than owners get an empty list.",
    query: z.object(paging),
    list: true,
    reply: page(Export),
  }),
  operation({
    name: "create_export",
    method: "post",
    path: "/exports",
    scope: "admin",
    inPerson: true,
    status: 201,
    summary: "Begin export",
    searchTerms: "download everything, take out, data portability, leave, migrate away, dump, archive, GDPR",
    description:
      `Begins an export of everything in the organisation that the owner may read. ${rights} ` +
      "Make part after part, then finish it. The audit log records both.",
    reply: Export,
    location: "/exports/",
    reasons: ["owners_only", "exports_open"],
  }),
  operation({
    name: "get_export",
    method: "get",
    path: "/exports/{id}",
    scope: "read",
    inPerson: true,
    status: 200,
    summary: "Retrieve export",
    searchTerms: "manifest, progress, status of the download",
    description:
      "Returns the state of the export, and its manifest once it is finished. Others than owners get `not_found`.",
    reply: Export,
    refusals: ["not_found"],
  }),
  operation({
    name: "make_export_part",
    method: "post",
    path: "/exports/{id}/parts",
    scope: "admin",
    inPerson: true,
    storesDigest: true,
    status: 200,
    summary: "Make part of export",
    searchTerms: "download, JSON lines, rows, read content, next, resume",
    description:
      "Makes the part with this number, and returns it: at most 1,000 lines and 1 MB, or one line. Parts are made in their order, by the " +
      "owner who began the export. The newest part can be made again until the next one is requested, so store a part before you " +
      "request the next one. An earlier part has the same content or is refused. Only a digest of the response is stored, so a replay " +
      "has the same content or is refused with `export_part_changed`.",
    body: NewExportPart,
    reply: ExportPart,
    refusals: ["not_found"],
    reasons: ["owners_only", "export_expired", "export_finished", "export_part_changed"],
  }),
  operation({
    name: "finish_export",
    method: "post",
    path: "/exports/{id}/finish",
    scope: "admin",
    inPerson: true,
    status: 200,
    summary: "Finish export",
    searchTerms: "manifest, complete, seal, done",
    description:
      "Makes the manifest after the last part was made, and adds its hash to the audit log. Finishing twice changes nothing.",
    reply: Export,
    refusals: ["not_found"],
    reasons: ["owners_only", "export_expired", "export_incomplete"],
  }),
];
