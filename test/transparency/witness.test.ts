/** The witness: what it cosigns, what it refuses with which status, and what it keeps over a restart. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signerFrom } from "../../src/secrets/note-key.ts";
import { formatCheckpoint } from "../../src/transparency/checkpoint.ts";
import { consistencySpans, hashOfEmptyTree, leafHash } from "../../src/transparency/merkle.ts";
import { readNote, signatureOf, signNote } from "../../src/transparency/note.ts";
import { appendLeaves, hashOfSpan, type ReadTile } from "../../src/transparency/tiles.ts";
import { type RunningWitness, startWitness, witnessKey } from "../../src/transparency/witness/server.ts";
import { readStored } from "../../src/transparency/witness/store.ts";

const log = signerFrom("example.com/log", 1, Buffer.alloc(32, 1));
let folder: string;
let running: RunningWitness;

const start = async () => {
  const signer = witnessKey(join(folder, "key"), "witness.example");
  running = await startWitness({ host: "127.0.0.1", port: 0 }, { signer, logs: [log], folder: join(folder, "store") });
};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "botstead-witness-"));
  await start();
});
afterEach(async () => {
  await running.stop();
  rmSync(folder, { recursive: true });
});

/** A tree of leaves that begin with this text. */
async function tree(text: string, size: number) {
  const leaves = Array.from({ length: size }, (_, index) => leafHash(index < 3 ? `leaf ${index}` : `${text} ${index}`));
  const none: ReadTile = async () => Buffer.alloc(0);
  const { read } = await appendLeaves(0, leaves, none);
  const rootAt = async (at: number) => (at === 0 ? hashOfEmptyTree : hashOfSpan({ start: 0, size: at }, read));
  return {
    note: async (at: number, signer = log, origin = signer.name) =>
      signNote(formatCheckpoint({ origin, size: at, root: await rootAt(at) }), signer),
    proof: async (old: number, at: number) =>
      (await Promise.all(consistencySpans(old, at).map((span) => hashOfSpan(span, read)))).map((hash) =>
        hash.toString("base64"),
      ),
  };
}

async function post(body: string, path = "/add-checkpoint", method = "POST") {
  const answer = await fetch(`http://127.0.0.1:${running.port}${path}`, { method, ...(method === "POST" && { body }) });
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
}
const request = (old: number, proof: string[], note: string) => `${[`old ${old}`, ...proof].join("\n")}\n\n${note}`;

test("cosigns a first checkpoint and each extension of it, and keeps them in order", async () => {
  const { note, proof } = await tree("a", 40);
  let old = 0;
  for (const size of [5, 5, 8, 33, 40]) {
    const sent = await note(size);
    const answer = await post(request(old, await proof(old, size), sent));
    expect([size, answer.status]).toEqual([size, 200]);
    const cosigned = readNote(`${readNote(sent).text}\n${answer.text}`);
    expect(signatureOf(cosigned, witnessKey(join(folder, "key"), "witness.example"))).toBeDefined();
    old = size;
  }
  const stored = readStored(join(folder, "store", "example.com%2Flog.jsonl"));
  expect(stored.map(({ size }) => size)).toEqual([5, 8, 33, 40]);
  expect(readNote(stored.at(-1)?.note ?? "").signatures).toHaveLength(2);
});

test("refuses every other checkpoint with the status of the protocol, and keeps the last one", async () => {
  const ours = await tree("a", 20);
  const fork = await tree("b", 20);
  expect((await post(request(0, [], await ours.note(10)))).status).toBe(200);
  const refusals: [string, string, number][] = [
    ["a fork of the same size", request(10, [], await fork.note(10)), 409],
    ["a fork that is larger", request(10, await fork.proof(10, 20), await fork.note(20)), 422],
    ["a smaller tree", request(5, await ours.proof(5, 8), await ours.note(8)), 409],
    ["another old size", request(4, await ours.proof(4, 20), await ours.note(20)), 409],
    [
      "a proof that is too long",
      request(10, [...(await ours.proof(10, 20)), "A".repeat(43).concat("=")], await ours.note(20)),
      422,
    ],
    ["an old size above the new one", request(10, [], await ours.note(9)), 400],
    [
      "another key of the log's name",
      request(10, await ours.proof(10, 20), await ours.note(20, signerFrom(log.name, 1, Buffer.alloc(32, 2)))),
      403,
    ],
    ["an unknown log", request(0, [], await ours.note(20, signerFrom("other", 1, Buffer.alloc(32, 1)))), 404],
    ["a text", "hello", 400],
    ["an old size with a leading zero", request(10, [], await ours.note(20)).replace("old 10", "old 010"), 400],
    ["64 hashes", request(10, Array(64).fill(Buffer.alloc(32).toString("base64")), await ours.note(20)), 400],
    ["a long body", "x".repeat(100_000), 413],
  ];
  for (const [what, body, status] of refusals) expect([what, (await post(body)).status]).toEqual([what, status]);
  expect(await post(request(4, [], await ours.note(20)))).toEqual({
    status: 409,
    type: "text/x.tlog.size",
    text: "10\n",
  });
  expect((await post("", "/add-checkpoint", "GET")).status).toBe(405);
  expect((await post("", "/")).status).toBe(404);
  expect((await post(request(10, await ours.proof(10, 20), await ours.note(20)))).status).toBe(200);
});

test("cosigns a repeated checkpoint again, and stores neither a second line nor other signatures", async () => {
  const { note } = await tree("a", 5);
  const others = Array.from({ length: 20 }, (_, at) =>
    signNote("other\n", signerFrom(`other-${at}`, 1, Buffer.alloc(32, at))),
  );
  const sent = (await note(5)) + others.map((other) => other.split("\n\n")[1]).join("");
  for (const old of [0, 5, 5]) expect((await post(request(old, [], sent))).status).toBe(200);
  const stored = readStored(join(folder, "store", "example.com%2Flog.jsonl"));
  expect(stored.map(({ size }) => size)).toEqual([5]);
  expect(readNote(stored[0]?.note ?? "").signatures.map(({ name }) => name)).toEqual([log.name, "witness.example"]);
});

test("refuses a body over 16 KB", async () => {
  expect((await post("x".repeat(16 * 1024 + 1))).status).toBe(413);
});

test("cosigns one of several concurrent extensions of a checkpoint", async () => {
  const { note, proof } = await tree("a", 40);
  await post(request(0, [], await note(10)));
  const bodies = await Promise.all(
    [20, 21, 22, 23, 24].map(async (size) => request(10, await proof(10, size), await note(size))),
  );
  const statuses = await Promise.all(bodies.map(async (body) => (await post(body)).status));
  expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409]);
});

test("keeps the last checkpoint over a restart, also behind a truncated line", async () => {
  const { note, proof } = await tree("a", 40);
  await post(request(0, [], await note(10)));
  await running.stop();
  const file = join(folder, "store", "example.com%2Flog.jsonl");
  appendFileSync(file, '{"at":"2026');
  await start();
  expect(await post(request(0, [], await note(20)))).toMatchObject({ status: 409, text: "10\n" });
  expect((await post(request(10, await proof(10, 20), await note(20)))).status).toBe(200);
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(3);
  expect(readStored(file).map(({ size }) => size)).toEqual([10, 20]);
});

test("a key file of another name or without a key is refused", () => {
  const file = join(folder, "key");
  expect(witnessKey(file, "witness.example").text).toBe(witnessKey(file, "witness.example").text);
  expect(() => witnessKey(file, "other.example")).toThrow("witness.example");
});
