/**
 * The TypeScript that docs/receiving-webhooks.md gives to receivers, taken from the page and held against what we send.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sign } from "../../src/delivery/signature.ts";

const page = readFileSync(new URL("../../docs/receiving-webhooks.md", import.meta.url), "utf8");
const folder = mkdtempSync(join(tmpdir(), "botstead-receiving-"));
const secret = "whsec_c2VjcmV0";
const body = '{"id":"1","data":{"name":"Zoë ✓"}}';
const now = Math.floor(Date.now() / 1000);
const headers = (timestamp: number, signature = sign(secret, timestamp, body)) => ({
  "x-botstead-timestamp": String(timestamp),
  "x-botstead-signature": signature,
});

let isBotsteads: (secret: string, headers: Record<string, unknown>, rawBody: string) => boolean;

beforeAll(async () => {
  const file = join(folder, "receiver.ts");
  writeFileSync(file, /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? "");
  ({ isBotsteads } = await import(file));
});

afterAll(() => rmSync(folder, { recursive: true }));

test("a receiver that follows the page accepts our delivery", () => {
  expect(isBotsteads(secret, headers(now), body)).toBe(true);
  expect(isBotsteads(secret, headers(now - 290), body)).toBe(true);
});

test("it refuses one that was changed, that is old, or that is not signed by us", () => {
  expect(isBotsteads(secret, headers(now), `${body} `)).toBe(false);
  expect(isBotsteads(secret, headers(now - 301), body)).toBe(false);
  expect(isBotsteads(secret, headers(now + 310), body)).toBe(false);
  expect(isBotsteads("whsec_other", headers(now), body)).toBe(false);
  expect(isBotsteads(secret, headers(now, "é".repeat(64)), body)).toBe(false);
  expect(isBotsteads(secret, {}, body)).toBe(false);
});
