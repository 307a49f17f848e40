/**
 * `botstead export`: downloads an export into a folder. A part is stored before the next one is requested, so a command that ended
 * early continues with the same folder. (docs/leaving.md)
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BotsteadError, type Client } from "../client/index.ts";
import { chainAfter, sha256, startOfChain } from "../contract/export-chain.ts";
import { fileOfPart, type PartLine } from "../contract/export-files.ts";

/** Entries join the signed tree within about a minute. */
const proofTimeoutMs = 180_000;
const proofIntervalMs = 2_000;

type State = { id: string; organisationId: string };
type Stored = PartLine & { isLast: boolean };
export type Exported = State & { parts: number; manifestHash: string };

export async function downloadExport(
  client: Client,
  folder: string,
  onPart: (part: Stored) => void,
): Promise<Exported> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { id, organisationId } = await begin(client, folder);
  const path = { id };
  let begun = await client.get("/exports/{id}", { path });
  const parts = storedParts(folder, startOfChain(organisationId, id));
  if (begun.state === "open") {
    await readParts(client, folder, { id, organisationId }, parts, onPart);
    begun = await client.post("/exports/{id}/finish", { path });
  }
  const { manifest, manifestHash } = begun;
  if (!manifest || !manifestHash) throw new Error(`The export has expired. Remove ${folder}, and begin again.`);
  store(folder, "manifest.json", manifest);
  store(folder, "proof.json", JSON.stringify(await proofOf(client, id)));
  return { id, organisationId, parts: parts.length, manifestHash };
}

const lineOf = (part: Stored): string => `${JSON.stringify(part)}\n`;

/** The export of this folder. */
async function begin(client: Client, folder: string): Promise<State> {
  const known = read(folder, "export.json");
  if (known !== undefined) return JSON.parse(known) as State;
  const { organisation } = await client.get("/me");
  const { id } = await client.post("/exports");
  const state = { id, organisationId: organisation.id };
  store(folder, "export.json", JSON.stringify(state));
  return state;
}

/** The parts that are stored whole, up to the first one that is not. */
function storedParts(folder: string, start: string): Stored[] {
  const parts: Stored[] = [];
  let chain = start;
  for (const line of (read(folder, "parts.jsonl") ?? "").split("\n").slice(0, -1)) {
    const part = JSON.parse(line) as Stored;
    chain = chainAfter(chain, part);
    const content = read(folder, fileOfPart(part.part));
    if (part.chain !== chain || content === undefined || sha256(content) !== part.hash) break;
    parts.push(part);
  }
  return parts;
}

async function readParts(
  client: Client,
  folder: string,
  { id, organisationId }: State,
  parts: Stored[],
  onPart: (part: Stored) => void,
): Promise<void> {
  store(folder, "parts.jsonl", parts.map(lineOf).join("")); // without lines whose parts are not whole
  while (!parts.at(-1)?.isLast) {
    const { content, part, lines, hash, chain, isLast } = await makePart(client, id, parts.length + 1);
    if (sha256(content) !== hash) throw new Error(`Part ${part} arrived with another content than its hash says.`);
    const stored = { part, lines, hash, chain, isLast };
    if (chainAfter(parts.at(-1)?.chain ?? startOfChain(organisationId, id), stored) !== chain) {
      throw new Error("Another process reads this export too. Use a folder of its own for each.");
    }
    store(folder, fileOfPart(part), content);
    parts.push(stored);
    appendFileSync(join(folder, "parts.jsonl"), lineOf(stored), { mode: 0o600, flush: true });
    onPart(stored);
  }
}

/** A lost answer is requested again. If rows have changed meanwhile, that is refused, and the part is made again. */
async function makePart(client: Client, id: string, part: number) {
  for (;;) {
    try {
      return await client.post("/exports/{id}/parts", { path: { id }, body: { part } });
    } catch (error) {
      const isLost = error instanceof BotsteadError && error.attempts > 1;
      if (!isLost || error.reason !== "export_part_changed") throw error;
    }
  }
}

/** @throws Error if the entry is in no checkpoint for long */
async function proofOf(client: Client, id: string): Promise<unknown> {
  for (const until = Date.now() + proofTimeoutMs; ; await sleep(proofIntervalMs)) {
    const { auditEntryId } = await client.get("/exports/{id}", { path: { id } });
    try {
      if (auditEntryId) return await client.get("/audit/{id}/proof", { path: { id: auditEntryId } });
    } catch (error) {
      if (!(error instanceof BotsteadError) || error.reason !== "entry_not_in_checkpoint") throw error;
    }
    if (Date.now() > until) {
      throw new Error("All parts are stored. No checkpoint covers the manifest yet: run the command again later.");
    }
  }
}

function read(folder: string, file: string): string | undefined {
  try {
    return readFileSync(join(folder, file), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whole or not at all, also if the process is killed. */
function store(folder: string, file: string, text: string): void {
  writeFileSync(join(folder, `${file}.new`), text, { mode: 0o600, flush: true });
  renameSync(join(folder, `${file}.new`), join(folder, file));
}
