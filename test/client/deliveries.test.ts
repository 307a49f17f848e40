/** verifyDelivery: forms of headers and bodies in TypeScript programs, and published keys. cases.json has the other cases. */
import { generateKeyPairSync } from "node:crypto";
import { DeliveryRejected, deliveryVerifier, verifyDelivery } from "../../src/client/index.ts";
import { deliveryHeaders, signingKeys } from "../../src/delivery/headers.ts";
import { sign } from "../../src/delivery/signature.ts";
import { jsonWebKeyOf } from "../../src/secrets/json-web-key.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const event = {
  id: "01890000-0000-7000-8000-000000000000",
  event: "webhook.test",
  createdAt: "2026-11-20T14:40:00.000Z",
  organisationId: "01890000-0000-7000-8000-000000000001",
  data: { webhookId: "01890000-0000-7000-8000-000000000002", note: "Zoë ✓" },
};
const rawBody = JSON.stringify(event);
const now = 1_800_000_000;
const headersOf = (timestamp: number, body: string = rawBody, by = secret) => ({
  "x-botstead-timestamp": String(timestamp),
  "x-botstead-signature": sign(by, timestamp, body),
});
const good = headersOf(now);

function reasonOf(verify: () => unknown): string {
  try {
    verify();
  } catch (error) {
    expect(error).toBeInstanceOf(DeliveryRejected);
    return (error as DeliveryRejected).reason;
  }
  return "accepted";
}

test.each([
  ["Headers, as fetch has them", new Headers(good)],
  [
    "an object whose values are lists",
    { ...Object.fromEntries(Object.entries(good).map(([name, value]) => [name, [value]])) },
  ],
  ["an object with other headers in it", { ...good, cookie: undefined, "set-cookie": ["a=1", "b=2"], host: "x" }],
])("verifyDelivery accepts headers as %s", (_how, headers) => {
  expect(verifyDelivery(rawBody, headers, secret, { now })).toEqual(event);
});

test("verifyDelivery accepts a body as text, Buffer or bytes", () => {
  for (const body of [rawBody, Buffer.from(rawBody), new TextEncoder().encode(rawBody)]) {
    expect(verifyDelivery(body, good, secret, { now })).toEqual(event);
  }
});

test("verifyDelivery uses the machine's clock by default", () => {
  expect(verifyDelivery(rawBody, headersOf(Math.floor(Date.now() / 1000)), secret)).toEqual(event);
  expect(reasonOf(() => verifyDelivery(rawBody, headersOf(Math.floor(Date.now() / 1000) - 400), secret))).toBe(
    "timestamp",
  );
});

test("verifyDelivery refuses a list of two signatures", () => {
  const headers = { ...good, "x-botstead-signature": [good["x-botstead-signature"], "0".repeat(64)] };
  expect(reasonOf(() => verifyDelivery(rawBody, headers, secret, { now }))).toBe("headers");
});

describe("by published keys", () => {
  const [ours, next, other] = [0, 0, 0].map(() => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const { x = "" } = publicKey.export({ format: "jwk" });
    return { privateKey, jwk: jsonWebKeyOf(Buffer.from(x, "base64url")) };
  }) as [Pair, Pair, Pair];
  type Pair = {
    privateKey: ReturnType<typeof generateKeyPairSync>["privateKey"];
    jwk: ReturnType<typeof jsonWebKeyOf>;
  };
  const { organisationId } = event;
  const by = { keys: [ours.jwk], organisationId };
  const headersBy = (pairs: Pair[], body = rawBody, at = now) =>
    deliveryHeaders({
      deliveryId: event.id,
      event: event.event,
      body,
      keys: signingKeys(secret),
      privateKeys: pairs.map(({ privateKey }) => privateKey),
      at: new Date(at * 1_000),
    });
  const signed = headersBy([ours]);

  test("verifyDelivery accepts a signature of one of several keys, with the body as text or bytes", () => {
    for (const body of [rawBody, Buffer.from(rawBody)])
      expect(verifyDelivery(body, signed, by, { now })).toEqual(event);
    const rotating = headersBy([next, ours]);
    for (const keys of [[ours.jwk], [next.jwk], [other.jwk, next.jwk], [{ kty: "RSA" }, ours.jwk]]) {
      expect(verifyDelivery(rawBody, rotating, { keys, organisationId }, { now })).toEqual(event);
    }
  });

  test.each<[string, string, () => unknown]>([
    ["by another key", "signature", () => verifyDelivery(rawBody, headersBy([other]), by, { now })],
    ["of another body", "signature", () => verifyDelivery(`${rawBody} `, signed, by, { now })],
    ["of another id", "signature", () => verifyDelivery(rawBody, { ...signed, "webhook-id": "x" }, by, { now })],
    ["without keys", "signature", () => verifyDelivery(rawBody, signed, { ...by, keys: [] }, { now })],
    ["with the secret's signature only", "headers", () => verifyDelivery(rawBody, headersBy([]), by, { now })],
    ["from 301 seconds ago", "timestamp", () => verifyDelivery(rawBody, signed, by, { now: now + 301 })],
    [
      "of another organisation",
      "organisation",
      () => verifyDelivery(rawBody, signed, { ...by, organisationId: event.id }, { now }),
    ],
    ["for no organisation", "no_secret", () => verifyDelivery(rawBody, signed, { ...by, organisationId: "" }, { now })],
  ])("verifyDelivery refuses a delivery %s", (_how, reason, verify) => {
    expect(reasonOf(verify)).toBe(reason);
  });

  test("deliveryVerifier keeps the keys 5 minutes, and fetches them again if none matches, at most every 30 seconds", async () => {
    let published = [ours.jwk];
    let clock = now * 1_000;
    const fetched: string[] = [];
    const fetch = async (url: string | URL | Request) => {
      fetched.push(String(url));
      return Response.json({ keys: published });
    };
    const verify = deliveryVerifier({ baseUrl: "https://api.example.com", organisationId, fetch, now: () => clock });
    await Promise.all([verify(rawBody, signed), verify(rawBody, signed)]);
    expect(fetched).toEqual(["https://api.example.com/.well-known/webhooks.json"]);

    published = [next.jwk];
    const later = headersBy([next]);
    await expect(verify(rawBody, later)).rejects.toMatchObject({ reason: "signature" });
    expect(fetched).toHaveLength(1);
    clock += 30_000;
    expect(await verify(rawBody, later)).toEqual(event);
    expect(fetched).toHaveLength(2);
    await expect(verify(rawBody, signed)).rejects.toMatchObject({ reason: "signature" });
    expect(fetched).toHaveLength(2);
    clock += 269_000; // the delivery is 299 seconds old, the keys 269
    expect(await verify(rawBody, later)).toEqual(event);
    clock += 31_000;
    await expect(verify(rawBody, later)).rejects.toMatchObject({ reason: "timestamp" });
    expect(fetched).toHaveLength(3);
  });

  test("deliveryVerifier throws another error while the keys cannot be fetched, and recovers", async () => {
    let status = 503;
    const fetch = async () => Response.json({ keys: [ours.jwk] }, { status });
    const verify = deliveryVerifier({ baseUrl: "https://x.example", organisationId, fetch, now: () => now * 1_000 });
    await expect(verify(rawBody, signed)).rejects.toThrow("https://x.example/.well-known/webhooks.json answered 503.");
    status = 200;
    expect(await verify(rawBody, signed)).toEqual(event);
  });
});
