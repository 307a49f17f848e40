/** `npm run bench -- imports`: memories in and out of one organisation by JSON lines, as many as `--memories` says. */
import { randomUUID } from "node:crypto";
import { maxImportLines } from "../src/contract/body-limits.ts";
import type { Data, Target } from "./data.ts";
import type { Options } from "./options.ts";
import { startSystem } from "./systems.ts";

const type = "application/x-ndjson";

/** Returns a Markdown table. */
export async function measureImports(data: Data, { memories }: Options): Promise<string> {
  const api = await startSystem("botstead", data);
  const target = data.targets[0] as Target;
  const name = randomUUID();
  try {
    const lines = ["| | seconds | memories per second |", "|---|--:|--:|"];
    const measure = async (label: string, work: () => Promise<number>) => {
      const began = performance.now();
      const count = await work();
      const seconds = (performance.now() - began) / 1000;
      if (count < memories) throw new Error(`${label}: ${count} of ${memories} memories`);
      lines.push(`| ${label} | ${seconds.toFixed(1)} | ${Math.round(count / seconds).toLocaleString("en")} |`);
    };
    await measure("import", () => importAll(api.url, target, name, memories, "created"));
    await measure("the same import again", () => importAll(api.url, target, name, memories, "unchanged"));
    await measure("export", () => exportAll(api.url, target));
    return [
      `${memories.toLocaleString("en")} memories of one organisation, in parts of ${maxImportLines}, one request at a time.`,
      lines.join("\n"),
    ].join("\n\n");
  } finally {
    await api.stop();
  }
}

async function importAll(
  url: string,
  { bearer }: Target,
  name: string,
  count: number,
  outcome: "created" | "unchanged",
): Promise<number> {
  let counted = 0;
  for (let from = 0; from < count; from += maxImportLines) {
    const part = Array.from({ length: Math.min(maxImportLines, count - from) }, (_each, at) => lineOf(name, from + at));
    const reply = await fetch(`${url}/api/v1/memories/import`, {
      method: "POST",
      headers: { authorization: `Bearer ${bearer}`, "content-type": type, "idempotency-key": randomUUID() },
      body: part.map((line) => JSON.stringify(line)).join("\n"),
    });
    const body = (await reply.json()) as Record<typeof outcome, number>;
    if (reply.status !== 200) throw new Error(`${reply.status}: ${JSON.stringify(body)}`);
    counted += body[outcome];
  }
  return counted;
}

const lineOf = (name: string, number: number) => ({
  ...{ externalId: `${name}-${number}`, scope: "organisation", kind: "decision", subject: `Release ${number}` },
  value: `Release ${number} ships on the second Tuesday of the month, after the harbour office has confirmed.`,
});

async function exportAll(url: string, { bearer }: Target): Promise<number> {
  const reply = await fetch(`${url}/api/v1/memories`, { headers: { authorization: `Bearer ${bearer}`, accept: type } });
  let lines = 0;
  for await (const bytes of reply.body ?? []) for (const byte of bytes) if (byte === 10) lines += 1;
  return lines;
}
