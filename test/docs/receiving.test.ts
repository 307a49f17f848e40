/**
 * The code of docs/receiving-webhooks.md, run as printed against our deliveries, the Standard Webhooks library,
 * and the example that verifies by public keys.
 */
import { execFileSync, spawn } from "node:child_process";
import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import { freePort } from "../../src/database/embedded/port.ts";
import { deliveryHeaders, signingKeys } from "../../src/delivery/headers.ts";
import { jsonWebKeyOf } from "../../src/secrets/json-web-key.ts";
import { testWith } from "../support/machine.ts";
import { eventually } from "../support/worker.ts";

const page = readFileSync(new URL("../../docs/receiving-webhooks.md", import.meta.url), "utf8");
const secret = `whsec_${randomBytes(32).toString("base64")}`;
const other = `whsec_${randomBytes(32).toString("base64")}`;
const delivery = {
  deliveryId: "01a1f963-5b0e-7d4c-9f6a-3c1f2f7d9a10",
  event: "webhook.test",
  body: '{"id":"01a1f963-5b0e-7d4c-9f6a-3c1f2f7d9a10","event":"webhook.test","data":{"name":"Zoë ✓"}}',
};
const headers = (ageSeconds = 0, by = secret) =>
  deliveryHeaders({ ...delivery, keys: signingKeys(by), at: new Date(Date.now() - ageSeconds * 1_000) });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "botstead-receiving-"));
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The first block in this language after this text. */
function printed(language: string, after: string): string {
  const at = page.indexOf(after);
  if (at < 0) throw new Error(`The page does not say "${after}".`);
  const [, code] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page.slice(at)) ?? [];
  if (!code) throw new Error(`There is no ${language} after "${after}".`);
  return code;
}

function save(name: string, code: string): string {
  const file = join(folder, name);
  writeFileSync(file, code);
  return file;
}

test("the page shows the headers that are sent", () => {
  const shown = [...printed("http", "## What arrives").matchAll(/^([a-z-]+): (.*)$/gm)].map(([, name]) => name);
  expect(shown.toSorted()).toEqual(Object.keys(headers()).toSorted());
});

type Verify = (headers: Record<string, string>, body: string, secret: string) => Promise<boolean>;

/** Verifies a delivery of this age. A verification that took as long as the age misses the limit by is repeated. */
async function isOursAt(ageSeconds: number, isOurs: Verify): Promise<boolean> {
  const missesByMs = Math.abs(300 - Math.abs(ageSeconds)) * 1_000;
  for (;;) {
    const began = performance.now();
    const answer = await isOurs(headers(ageSeconds), delivery.body, secret);
    if (performance.now() - began < missesByMs) return answer;
  }
}

/** Every way of verifying must accept and refuse the same deliveries. */
async function expectVerification(isOurs: Verify): Promise<void> {
  expect(await isOursAt(0, isOurs)).toBe(true);
  expect(await isOursAt(290, isOurs)).toBe(true);
  expect(await isOurs(headers(), `${delivery.body} `, secret)).toBe(false);
  expect(await isOurs(headers(302), delivery.body, secret)).toBe(false);
  expect(await isOursAt(-310, isOurs)).toBe(false);
  expect(await isOurs(headers(0, other), delivery.body, secret)).toBe(false);
  expect(await isOurs({}, delivery.body, secret)).toBe(false);
  const forged = { "x-botstead-signature": "é".repeat(64), "webhook-signature": "v1,é" };
  expect(await isOurs({ ...headers(), ...forged }, delivery.body, secret)).toBe(false);
}

test("the Standard Webhooks library accepts our deliveries and no others", async () => {
  await expectVerification(async (given, body, by) => {
    try {
      return (new Webhook(by).verify(body, given) as { id: string }).id === delivery.deliveryId;
    } catch {
      return false;
    }
  });
});

test("the Standard Webhooks library skips the public signature, as the page says", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const both = deliveryHeaders({ ...delivery, keys: signingKeys(secret), privateKeys: [privateKey], at: new Date() });
  const [, publicOnly = ""] = both["webhook-signature"]?.split(" ") ?? [];
  expect(publicOnly).toMatch(/^v1a,/);
  const library = new Webhook(secret);
  expect(library.verify(delivery.body, both)).toEqual(JSON.parse(delivery.body));
  expect(() => library.verify(delivery.body, { ...both, "webhook-signature": publicOnly })).toThrow(
    "No matching signature",
  );
});

testWith("python3", "python3-cryptography")(
  "the example in Python accepts deliveries by a published key, for one organisation",
  async () => {
    const pairs = [0, 0, 0].map(() => generateKeyPairSync("ed25519"));
    const [ours, next, foreign] = pairs.map(({ publicKey }) =>
      jsonWebKeyOf(Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url")),
    );
    const [byOurs, byNext] = pairs.map(({ privateKey }) => privateKey) as [KeyObject, KeyObject];
    const body = JSON.stringify({ id: delivery.deliveryId, organisationId: "mine", name: "Zoë ✓" });
    const sent = (privateKeys: KeyObject[], ageSeconds = 0, text = body) =>
      deliveryHeaders({
        ...delivery,
        body: text,
        keys: signingKeys(secret),
        privateKeys,
        at: new Date(Date.now() - ageSeconds * 1_000),
      });
    const theirs = body.replace("mine", "theirs");
    const cases: [expected: boolean, keys: unknown, headers: object, body: string][] = [
      [true, [ours], sent([byOurs]), body],
      [true, [foreign, ours], sent([byNext, byOurs], 290), body],
      [true, [{ kty: "RSA" }, next], sent([byNext, byOurs]), body],
      [false, [foreign], sent([byOurs]), body],
      [false, [], sent([byOurs]), body],
      [false, [ours], sent([]), body],
      [false, [ours], {}, body],
      [false, [ours], sent([byOurs]), `${body} `],
      [false, [ours], sent([byOurs], 302), body],
      [false, [ours], sent([byOurs], 0, theirs), theirs],
    ];
    const driver =
      "for keys, headers, body in json.load(sys.stdin):\n    print(is_for('mine', keys, headers, body.encode()))\n";
    const folderOfExample = fileURLToPath(new URL("../../examples/python", import.meta.url));
    const imports = `import json, sys\nsys.path.insert(0, ${JSON.stringify(folderOfExample)})\nfrom verify_public_signature import is_for\n`;
    const file = save("public.py", `${imports}${driver}`);
    const input = JSON.stringify(cases.map(([, ...given]) => given));
    const said = execFileSync("/usr/bin/python3", ["-B", file], { input, encoding: "utf8" }).trim().split("\n");
    expect(said).toEqual(cases.map(([expected]) => (expected ? "True" : "False")));
  },
);

test("the receiver runs as printed: it accepts a delivery once and refuses others", async () => {
  const port = await freePort();
  const file = save("receiver.mjs", printed("js", "## A complete receiver"));
  const { PATH = "" } = process.env;
  const receiver = spawn(process.execPath, [file], { env: { PATH, SECRET: secret, PORT: `${port}` } });
  try {
    const said = text(receiver.stdout);
    const post = async (given: Record<string, string>, body = delivery.body) =>
      (await fetch(`http://127.0.0.1:${port}/hook`, { method: "POST", headers: given, body })).status;
    await eventually(() =>
      fetch(`http://127.0.0.1:${port}`, { method: "POST" }).then(
        () => true,
        () => false,
      ),
    );
    expect(await post(headers())).toBe(200);
    expect(await post(headers())).toBe(200);
    expect(await post(headers(), `${delivery.body} `)).toBe(401);
    expect(await post(headers(0, other))).toBe(401);
    expect(await post({})).toBe(401);
    receiver.kill();
    expect(await said).toBe('webhook.test {"name":"Zoë ✓"}\n');
  } finally {
    receiver.kill();
    if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, "exit");
  }
});
