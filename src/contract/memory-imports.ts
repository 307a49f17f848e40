/** Import and export of memories. (docs/specification/memories.md#import) */
import { z } from "zod";
import { maxImportLines } from "./body-limits.ts";
import { ids } from "./examples.ts";
import { areRight, text, uuid } from "./fields.ts";
import { NewMemory, provenance } from "./memory-fields.ts";

const { supersedes, ...fields } = NewMemory.shape; // names a memory of this organisation

/** A memory as POST /memories takes it, with the same rules over several fields. */
const line = z
  .object({
    ...fields,
    externalId: text(1, 200).nullish().meta({
      description: "Your id of the memory. Each bot and the organisation has one memory of an id. Defaults to `id`.",
    }),
    id: text(1, 200).optional().meta({ description: "The id of an exported memory, which needs no `externalId`." }),
    provenance: provenance.optional().meta({
      description: "A memory that was `run-tainted` stays so. All others get `import`.",
    }),
  })
  .check(...((NewMemory.def.checks ?? []) as never[]))
  .refine(({ externalId, id }) => externalId ?? id, {
    path: ["externalId"],
    message: "is required without id",
    when: areRight("externalId", "id"),
  });

/** Each memory has an external id from here on. */
export const withExternalIds = ({ memories }: z.output<typeof MemoryImport>) => ({
  memories: memories.map(({ id, ...memory }) => ({ ...memory, externalId: memory.externalId ?? id })),
});

export const MemoryImport = z
  .object({
    memories: z
      .array(line)
      .min(1, `must hold 1 to ${maxImportLines} memories`)
      .max(maxImportLines, `must hold 1 to ${maxImportLines} memories`)
      .check(({ value, issues }) => {
        const known = new Set<string>();
        value.forEach((memory, index) => {
          const { id, botId } = memory ?? {};
          const externalId = memory?.externalId ?? id;
          if (typeof externalId !== "string") return;
          const name = JSON.stringify([externalId, botId?.toLowerCase()]);
          const message = "must appear once";
          if (known.has(name)) issues.push({ code: "custom", message, input: memory, path: [index, "externalId"] });
          known.add(name);
        });
      })
      .meta({ description: "The memories of this part, each as in `POST /memories`." }),
  })
  .meta({
    id: "MemoryImport",
    examples: [
      {
        memories: [
          {
            externalId: "handbook-17",
            scope: "organisation",
            kind: "policy",
            subject: "Opening hours",
            value: "The harbour office is open from nine to five.",
          },
        ],
      },
    ],
  });

const count = z.int().min(0);

const LineResult = z
  .object({
    line: z.int().min(1).meta({ description: "Number of the line, from 1." }),
    outcome: z.enum(["created", "unchanged", "refused"]).meta({
      description: "`unchanged`: the memory is stored already, with the same content.",
    }),
    id: uuid.nullable().meta({ description: "The stored memory of the external id. Null if there is none." }),
    error: z
      .object({
        code: z
          .enum(["not_found", "forbidden", "conflict"])
          .meta({ description: "As in the error of `POST /memories`." }),
        reason: z
          .enum(["kind_restricted", "external_id_taken"])
          .nullable()
          .meta({
            description:
              "`kind_restricted`: memories of this kind must not be stored about third parties. `external_id_taken`: the stored memory " +
              "has other content.",
          }),
      })
      .nullable()
      .meta({ description: "Why the line was refused. Null unless it was." }),
  })
  .meta({ id: "ImportResult" });

export const MemoryImportResults = z
  .object({
    created: count.meta({ description: "Number of lines that stored a memory." }),
    unchanged: count.meta({ description: "Number of lines whose memory was stored already." }),
    refused: count.meta({ description: "Number of lines that were refused." }),
    results: z.array(LineResult).meta({ description: "One result per line, in the same order." }),
  })
  .meta({
    id: "MemoryImportResults",
    examples: [
      { created: 1, unchanged: 0, refused: 0, results: [{ line: 1, outcome: "created", id: ids.memory, error: null }] },
    ],
  });
