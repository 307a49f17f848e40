import { sign, verify } from "../../src/delivery/signature.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const timestamp = 1_700_000_000;
const rawBody = '{"id":"018c","event":"webhook.test","note":"schöne Grüße"}';

// printf 'v1:1700000000:%s' "$rawBody" | openssl dgst -sha256 -hmac "$secret"
const signature = "ce40df3363375a76989fe439a4deae4956df2fc70be3b15077008d4ffaac2be7";

test("sign returns the HMAC that openssl computes over version, timestamp and raw body", () => {
  expect(sign(secret, timestamp, rawBody)).toBe(signature);
  expect(sign(secret, timestamp, Buffer.from(rawBody))).toBe(signature);
});

test("verify accepts a timestamp up to 300 seconds from the receiver's clock in both directions", () => {
  for (const now of [timestamp, timestamp + 300, timestamp - 300]) {
    expect(verify({ secret, timestamp, rawBody, signature, now })).toBe(true);
  }
  for (const now of [timestamp + 301, timestamp - 301]) {
    expect(verify({ secret, timestamp, rawBody, signature, now })).toBe(false);
  }
});

test("verify uses the machine's clock by default", () => {
  const justNow = Math.floor(Date.now() / 1000);
  expect(verify({ secret, timestamp: justNow, rawBody, signature: sign(secret, justNow, rawBody) })).toBe(true);
  expect(verify({ secret, timestamp, rawBody, signature })).toBe(false);
});

describe("verify refuses a delivery", () => {
  const good = { secret, timestamp, rawBody, signature, now: timestamp };
  test.each<[string, Partial<typeof good>]>([
    ["under another secret", { secret: `${secret}x` }],
    ["under the secret without its prefix", { secret: secret.replace("whsec_", "") }],
    ["with a byte changed in its body", { rawBody: rawBody.replace("018c", "018d") }],
    ["with another timestamp", { timestamp: timestamp + 1 }],
    ["with a timestamp that was not a number", { timestamp: Number.NaN }],
    ["with a digit changed", { signature: `${signature.slice(0, -1)}0` }],
    ["cut short", { signature: signature.slice(0, 32) }],
    ["without a signature", { signature: "" }],
    ["with the hex in capitals", { signature: signature.toUpperCase() }],
    ["with as many characters but more bytes", { signature: "é".repeat(64) }],
  ])("%s", (_how, change) => {
    expect(verify(good)).toBe(true);
    expect(verify({ ...good, ...change })).toBe(false);
  });
});
