/** Public keys of deliveries: created by a worker, published by the API, rotated on the command line. */
import { createPublicKey, verify } from "node:crypto";
import { openSigners } from "../../src/worker/signers.ts";
import type { RunningWorker } from "../../src/worker/worker.ts";
import { log } from "../support/logged.ts";
import { customer, type Endpoint, expectSigned, openPostOffice, type PostOffice } from "../support/post-office.ts";
import { commandOn, killPrograms } from "../support/program.ts";
import type { Received } from "../support/receiver.ts";
import { eventually, testWorker } from "../support/worker.ts";

type Key = { kty: string; crv: string; x: string; kid: string };

let office: PostOffice;
let workers: RunningWorker[] = [];
beforeAll(async () => {
  office = await openPostOffice({ worker: false });
});
afterAll(async () => {
  await stopWorkers();
  await killPrograms();
  await office.close();
});

async function stopWorkers(): Promise<void> {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
}

/** Workers read the keys at their start, and then every 10 seconds. */
async function startWorkers(count = 1): Promise<void> {
  workers = await Promise.all(Array.from({ length: count }, () => testWorker(office.db, office.settings)));
}

const response = () => fetch(`${office.api.url}/.well-known/webhooks.json`);
const published = async () => ((await (await response()).json()) as { keys: Key[] }).keys;
const rotate = (hours: number) =>
  commandOn(office.db, [
    "signing-key",
    "rotate",
    "--overlap-hours",
    `${hours}`,
    "--by",
    "Tess",
    "--reason",
    "It leaked",
  ]);

/** By key id, the number of signatures of the post that are right. */
function signaturesBy(keys: Key[], { headers, body }: Received): number[] {
  const signatures = `${headers["webhook-signature"]}`.split(" ").filter((each) => each.startsWith("v1a,"));
  const content = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
  return keys.map((key) => {
    const publicKey = createPublicKey({ key, format: "jwk" });
    return signatures.filter((each) => verify(null, content, publicKey, Buffer.from(each.slice(4), "base64"))).length;
  });
}

test("a rotation with overlap publishes both keys and sends both signatures, one without overlap withdraws at once", async () => {
  const who = await customer(office);
  const hook = office.hook();
  const endpoint: Endpoint = await who.subscribe(hook, ["run.finished"]);
  async function nextPost(change: () => Promise<unknown>): Promise<Received> {
    const before = hook.posts().length;
    await change();
    await eventually(async () => hook.posts().length > before);
    const post = hook.posts().at(-1) as Received;
    expectSigned(post, endpoint.secret);
    return post;
  }
  const posted = () => nextPost(() => who.ask("POST", `/webhooks/${endpoint.id}/test`));

  expect(await published()).toEqual([]);
  expect(await rotate(1)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no signing key yet/) });
  await startWorkers(2); // of both new keys the database keeps one
  await eventually(async () => (await published()).length === 1);
  const { headers } = await response();
  expect([headers.get("cache-control"), headers.get("content-type")]).toEqual([
    "public, max-age=300",
    "application/json; charset=utf-8",
  ]);
  const [first] = (await published()) as [Key];
  expect(first).toMatchObject({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid: expect.any(String) });
  expect(signaturesBy([first], await posted())).toEqual([1]);
  expect(signaturesBy([first], await nextPost(() => who.run()))).toEqual([1]);

  expect(await rotate(24)).toMatchObject({ code: 0 });
  expect(signaturesBy([first], await posted())).toEqual([1]); // before a worker reads the keys again
  await stopWorkers();
  await startWorkers();
  await eventually(async () => (await published()).length === 2);
  const both = await published();
  expect(both[1]).toEqual(first);
  expect(signaturesBy(both, await posted())).toEqual([1, 1]);
  const listed = (await commandOn(office.db, ["signing-key", "list"])).stdout.trim().split("\n");
  expect(listed.map((line) => line.split("\t").slice(0, 2))).toEqual([
    [`whpk_${Buffer.from(both[0]?.x ?? "", "base64url").toString("base64")}`, "current"],
    [
      `whpk_${Buffer.from(first.x, "base64url").toString("base64")}`,
      expect.stringMatching(/^signs until .+Z, published until .+Z$/),
    ],
  ]);

  // An hour after the overlap the former key is no longer published.
  const passed =
    "update app.signing_keys set signs_until = now() - interval '59 minutes', published_until = now() + $1 where signs_until is not null";
  await stopWorkers();
  await office.db.sql(passed, ["1 minute"]);
  await startWorkers();
  expect(signaturesBy(both, await posted())).toEqual([1, 0]);
  expect(await published()).toEqual(both);
  await office.db.sql(passed, ["0"]);
  await eventually(async () => (await published()).length === 1);

  expect(await rotate(0)).toMatchObject({ code: 0 });
  await eventually(async () => (await published()).length === 0);
  await stopWorkers();
  await startWorkers();
  const rows = await office.db.sql("select from app.signing_keys");
  expect([rows.length, signaturesBy(both, await posted())]).toEqual([1, [0, 0]]);
  const log = "select action, arguments ->> 'overlapHours' as hours, reason from operator.actions order by id";
  expect(await office.db.sql(log)).toEqual([
    { action: "rotate_signing_key", hours: "24", reason: "It leaked" },
    { action: "rotate_signing_key", hours: "0", reason: "It leaked" },
  ]);
});

test("a running worker signs with the next key after it reads the keys again", async () => {
  await stopWorkers();
  const signers = await openSigners(office.db.poolAs("worker"), office.db.key.sealing, log, 50);
  const publicKeys = () => signers.keys().map((key) => createPublicKey(key).export({ format: "jwk" }).x);
  const [former] = publicKeys();
  expect(await rotate(1)).toMatchObject({ code: 0 });
  await eventually(async () => publicKeys().length === 2);
  expect(publicKeys()[1]).toBe(former);
  await signers.stop();
});

test("a worker with another master key says so, and creates a key after the former one is withdrawn at once", async () => {
  await stopWorkers();
  const pool = office.db.poolAs("worker");
  const another = Buffer.alloc(32, 7);
  await expect(openSigners(pool, another, log)).rejects.toThrow(
    "A key that signs deliveries is sealed under another master key.",
  );
  expect(await rotate(0)).toMatchObject({ code: 0 });
  const signers = await openSigners(pool, another, log);
  expect(signers.keys()).toHaveLength(1);
  await signers.stop();
});
