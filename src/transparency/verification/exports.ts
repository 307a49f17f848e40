/**
 * Verifies an export in a folder, without a database: the parts lead by a chain of hashes to the manifest, the audit log has the
 * manifest's hash, and a signed checkpoint covers the entry. (docs/leaving.md)
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chainAfter, exportFormat, sha256, startOfChain } from "../../contract/export-chain.ts";
import { fileOfPart, type PartLine } from "../../contract/export-files.ts";
import type { Verifier } from "../../secrets/note-key.ts";
import { isSignedBy, leafData, readCheckpoint } from "../checkpoint.ts";
import { leafHash, rootOfInclusion } from "../merkle.ts";
import { entryHash } from "./chains.ts";
import { unsigned } from "./tree.ts";

type Ids = { organisationId: string; exportId: string };

type Manifest = Ids & {
  format: string;
  parts: number;
  lines: number;
  chain: string;
  tables: Record<string, { rows: number; withheld: number }>;
};

/** As GET /audit/{id}/proof returns it. */
type Proof = Record<"entryId" | "previousHash" | "content" | "leaf" | "checkpoint", string> &
  Record<"leafIndex" | "treeSize", number> & { hashes: string[] };

export type VerifiedExport = Ids & { parts: number; lines: number; withheld: number; faults: string[] };

/** @throws Error if the folder has no export, or a file of it is damaged */
export function verifyExport(folder: string, keys: Verifier[]): VerifiedExport {
  const faults: string[] = [];
  const text = readFileSync(join(folder, "manifest.json"), "utf8");
  const manifest = jsonOf<Manifest>(text, "manifest.json");
  if (manifest.format !== exportFormat) throw new Error(`manifest.json is no manifest of the format ${exportFormat}.`);
  faults.push(...faultsOfProof(jsonIn<Proof>(folder, "proof.json"), manifest, sha256(text), keys));
  const index = readFileSync(join(folder, "parts.jsonl"), "utf8").split("\n").slice(0, -1);
  const parts = index.map((line) => jsonOf<PartLine>(line, "parts.jsonl"));
  faults.push(...faultsOfChain(parts, manifest), ...faultsOfParts(folder, parts, manifest));
  const { organisationId, exportId, lines, tables } = manifest;
  const withheld = Object.values(tables).reduce((sum, table) => sum + table.withheld, 0);
  return { organisationId, exportId, parts: manifest.parts, lines, withheld, faults };
}

const jsonIn = <Content>(folder: string, file: string): Content =>
  jsonOf<Content>(readFileSync(join(folder, file), "utf8"), file);

function jsonOf<Content>(text: string, file: string): Content {
  try {
    return JSON.parse(text) as Content;
  } catch {
    throw new Error(`${file} is damaged: it is no JSON.`);
  }
}

/** The entry has the hash of this manifest, follows from its content, and is a leaf of a tree that a trusted key signed. */
function* faultsOfProof(proof: Proof, manifest: Manifest, hash: string, keys: Verifier[]): Generator<string> {
  const [, organisationId = "", sequence = "", entry = ""] = proof.leaf.split("\n");
  if (organisationId !== manifest.organisationId) {
    yield `the manifest is of organisation ${manifest.organisationId}, and the entry of the audit log of ${organisationId}`;
  }
  const [resource, resourceId, , , after = ""] = proof.content.split("\n").slice(-5); // before them, a reason can have line breaks
  if (resource !== "export" || resourceId !== manifest.exportId) {
    yield `the entry of the audit log is of ${resource} ${resourceId}, not of export ${manifest.exportId}`;
  } else if (hashIn(after) !== hash) {
    yield "the manifest is altered: the entry of the audit log has another hash";
  }
  const row = { organisationId, sequence: Number(sequence), id: proof.entryId };
  const isOfEntry = entryHash(proof.previousHash, row, proof.content) === entry;
  if (!isOfEntry || proof.leaf !== leafData(organisationId, sequence, entry)) {
    yield "the entry of the audit log is altered: its hash does not follow from its content";
  }
  const checkpoint = readCheckpoint(proof.checkpoint);
  if (!isSignedBy(checkpoint, keys)) yield unsigned(checkpoint, keys);
  const hashes = proof.hashes.map((each) => Buffer.from(each, "base64"));
  const root = rootOfInclusion(leafHash(proof.leaf), proof.leafIndex, proof.treeSize, hashes);
  if (checkpoint.size !== proof.treeSize || !root?.equals(checkpoint.root)) {
    yield `the checkpoint of size ${checkpoint.size} does not cover the entry of the audit log`;
  }
}

function hashIn(values: string): unknown {
  try {
    return (JSON.parse(values) as { manifestHash?: unknown }).manifestHash;
  } catch {
    return undefined;
  }
}

function* faultsOfChain(parts: PartLine[], manifest: Manifest): Generator<string> {
  let chain = startOfChain(manifest.organisationId, manifest.exportId);
  for (const [at, part] of parts.entries()) {
    chain = chainAfter(chain, { ...part, part: at + 1 });
    if (part.part === at + 1 && part.chain === chain) continue;
    return void (yield `parts.jsonl is altered at line ${at + 1}: its chain does not follow from the lines before`);
  }
  if (parts.length !== manifest.parts)
    yield `parts.jsonl has ${parts.length} parts, and the manifest ${manifest.parts}`;
  else if (chain !== manifest.chain) yield "parts.jsonl does not lead to the chain of the manifest";
}

function* faultsOfParts(folder: string, parts: PartLine[], manifest: Manifest): Generator<string> {
  const rows = new Map<string, number>();
  const files = new Set(readdirSync(folder));
  for (const { part, lines, hash } of parts) {
    const file = fileOfPart(part);
    if (!files.delete(file)) {
      yield `${file} is missing`;
      continue;
    }
    const content = readFileSync(join(folder, file));
    const found = sha256(content);
    const counted = countRows(content.toString("utf8"), manifest.organisationId, rows);
    if (counted.fault) yield `${file}: ${counted.fault}`;
    if (found === hash) continue;
    const other = parts.find((each) => each.hash === found);
    if (other) yield `${file} has the content of part ${other.part}`;
    else if (counted.lines !== lines) yield `${file} is altered: it has ${counted.lines} lines instead of ${lines}`;
    else yield `${file} is altered: its SHA-256 is not the one in parts.jsonl`;
  }
  for (const file of files) if (/^part-\d+\.jsonl$/.test(file)) yield `${file} is no part of the export`;
  for (const table of new Set([...Object.keys(manifest.tables), ...rows.keys()])) {
    const [found, expected] = [rows.get(table) ?? 0, manifest.tables[table]?.rows ?? 0];
    if (found !== expected) yield `the parts have ${found} rows of ${table}, and the manifest ${expected}`;
  }
}

function countRows(
  content: string,
  organisationId: string,
  rows: Map<string, number>,
): { lines: number; fault?: string } {
  const lines = content.split("\n");
  const fault = lines.pop() === "" ? undefined : "the last line has no end";
  for (const [at, line] of lines.entries()) {
    try {
      const { table, row } = JSON.parse(line) as { table: string; row: Record<string, unknown> };
      const owner = table === "organisations" ? row.id : (row.organisationId ?? organisationId);
      if (owner !== organisationId) return { lines: lines.length, fault: `line ${at + 1} is of another organisation` };
      rows.set(table, (rows.get(table) ?? 0) + 1);
    } catch {
      return { lines: lines.length, fault: `line ${at + 1} is damaged` };
    }
  }
  return fault === undefined ? { lines: lines.length } : { lines: lines.length, fault };
}
