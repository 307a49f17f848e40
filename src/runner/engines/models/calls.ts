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
  index: z
    .union([
      z.int().min(0),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    ])
    .nullish(),
  id: z.union([z.string(), z.number().transform(String)]).nullish(),
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

/** `index` is null until a part has one. */
type Collected = Call & { index: number | null };
type Part = { id: string; name: string; json: string };

export function collectCalls() {
  const calls: Collected[] = [];

  /** Returns the call that a part with this index and id continues, unless the part begins another. */
  function latest(index: number | null, id: string): Collected | undefined {
    const possible = calls.filter((call) => index === null || call.index === null || call.index === index);
    return possible.findLast((call) => id !== "" && call.id === id) ?? possible.at(-1);
  }

  return {
    add({ index = null, id, function: sent }: z.infer<typeof CallPart>): void {
      const part: Part = { id: id ?? "", name: sent?.name ?? "", json: sent?.arguments ?? "" };
      let call = latest(index, part.id);
      // Some services send an empty object before the arguments.
      const isEmptyObject = call?.arguments.trim() === "{}" && part.name === "" && part.json.trim() !== "";
      if (call && isEmptyObject) call.arguments = "";
      if (!call || beginsAnother(call, part)) {
        // The name may have come in a part that looked like a repeated end of the call before.
        const name = part.json.trim() === "" ? "" : (call?.name ?? "");
        call = { index, id: part.id, name: part.name || name, arguments: "" };
        calls.push(call);
      }
      call.index ??= index;
      call.id ||= part.id;
      call.name ||= part.name;
      call.arguments += part.json;
    },

    /** The calls, each with an id of its own. */
    all(): Call[] {
      const ids = new Set<string>();
      return calls.map((call) => {
        const id = call.id && !ids.has(call.id) ? call.id : newId();
        ids.add(id);
        return { id, name: call.name, arguments: call.arguments };
      });
    },

    count: () => calls.length,
    size: () => calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0),
    received: () => calls.map((call) => call.name + call.arguments).join(""),
  };
}

function beginsAnother(call: Call, { id, name, json }: Part): boolean {
  if (json.trim() !== "" && isWhole(call.arguments)) return true; // after a whole object nothing can follow
  if (name === "" || call.name === "") return false;
  if (name !== call.name) return true;
  const isOtherId = id !== "" && call.id !== "" && id !== call.id;
  return isOtherId && /^\s*(\{|$)/.test(json); // otherwise it repeats the name, and continues the arguments
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
