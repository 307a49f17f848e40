/** Reads an export to its end. */
import { hash } from "node:crypto";
import { chainAfter, startOfChain } from "../../src/contract/export-chain.ts";
import { expectAnswer } from "../support/answers.ts";
import type { CallOptions, Json, Reply } from "../support/api.ts";
import type { Caller, Member } from "../support/callers.ts";

export type Line = { table: string; row: Json };
export type Exported = { id: string; parts: Json[]; lines: Line[]; manifest: Json; finished: Json };

export const linesOf = (content: string): Line[] =>
  content === ""
    ? []
    : content
        .slice(0, -1)
        .split("\n")
        .map((line) => JSON.parse(line));

export const partOf = (owner: Caller, id: string, part = 1, options: CallOptions = {}): Promise<Reply<Json>> =>
  owner.post(`/exports/${id}/parts`, { part }, options);

export const readPart = async (owner: Member, id: string, part: number): Promise<Json> =>
  expectAnswer("make_export_part", await partOf(owner, id, part));

/** @param between is called after each part */
export async function exportAll(
  owner: Member,
  between: (part: number) => Promise<unknown> = async () => {},
): Promise<Exported> {
  const { id } = expectAnswer("create_export", await owner.post("/exports"));
  const parts: Json[] = [];
  let chain = startOfChain(owner.organisation.id, id);
  while (!parts.at(-1)?.isLast) {
    const part = await readPart(owner, id, parts.length + 1);
    expect(part.hash).toBe(hash("sha256", part.content));
    chain = chainAfter(chain, part);
    expect(part.chain).toBe(chain);
    parts.push(part);
    await between(parts.length);
  }
  const finished = expectAnswer("finish_export", await owner.post(`/exports/${id}/finish`));
  const manifest = JSON.parse(finished.manifest);
  expect(finished.manifestHash).toBe(hash("sha256", finished.manifest));
  expect([manifest.parts, manifest.chain]).toEqual([parts.length, chain]);
  const lines = parts.flatMap(({ content }) => linesOf(content));
  for (const [table, { rows }] of Object.entries<Json>(manifest.tables)) {
    expect([table, lines.filter((line) => line.table === table).length]).toEqual([table, rows]);
  }
  return { id, parts, lines, manifest, finished };
}
