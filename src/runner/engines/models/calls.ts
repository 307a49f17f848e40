/**
 * Assembles the tool calls of a turn from parts. Services number the parts differently: not at all, all with 0, with a new id in
 * each part, or without ids.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Call } from "./turn.ts";

/** More calls in one turn make the turn unusable. */
export const maxCalls = 64;

export const CallPart = z.object({
  index: z.int().min(0).nullish(),
  id: z.string().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      /** Some services send an object in place of its JSON. */
      arguments: z
        .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
        .nullish(),
    })
    .nullish(),
});

export function collectCalls() {
  const calls: Call[] = [];
  const byIndex = new Map<number, Call>();

  return {
    add({ index, id, function: part }: z.infer<typeof CallPart>): void {
      let call = typeof index === "number" ? byIndex.get(index) : calls.at(-1);
      if (!call || beginsAnother(call, id, part?.name)) {
        call = { id: "", name: "", arguments: "" };
        calls.push(call);
      }
      if (typeof index === "number") byIndex.set(index, call);
      if (!call.id && id) call.id = id;
      if (!call.name && part?.name) call.name = part.name;
      call.arguments += part?.arguments ?? "";
    },

    /** The calls, each with an id of its own. */
    all(): Call[] {
      const ids = new Set<string>();
      return calls.map((call) => {
        const id = call.id && !ids.has(call.id) ? call.id : newId();
        ids.add(id);
        return { ...call, id };
      });
    },

    count: () => calls.length,
    size: () => calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0),
    received: () => calls.map((call) => call.name + call.arguments).join(""),
  };
}

/** Whether a part with this id and name belongs to a call after `call`. */
function beginsAnother(call: Call, id: string | null | undefined, name: string | null | undefined): boolean {
  const otherId = Boolean(id && call.id && id !== call.id);
  if (otherId) return Boolean(name) || isWhole(call.arguments);
  return Boolean(name && call.name && !(id && id === call.id)) && isWhole(call.arguments);
}

function isWhole(json: string): boolean {
  if (!json.trimEnd().endsWith("}")) return false; // most parts, without the cost of parsing
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/** The strictest services accept exactly nine letters and digits. */
const newId = () => randomUUID().replaceAll("-", "").slice(0, 9);
