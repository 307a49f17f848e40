/** Headers of a delivery. The library of Standard Webhooks verifies its part. */
import { createPublicKey, generateKeyPairSync, randomBytes, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { verifyDelivery } from "../../src/client/index.ts";
import { deliveryHeaders, signingKeys } from "../../src/delivery/headers.ts";
import { jsonWebKeyOf } from "../../src/secrets/json-web-key.ts";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const body = '{"id":"01a1f963-5b0e-7d4c-9f6a-3c1f2f7d9a10","event":"webhook.test","note":"schöne Grüße ✓"}';
const signable = {
  deliveryId: "01a1f963-5b0e-7d4c-9f6a-3c1f2f7d9a10",
  event: "webhook.test",
  body,
  keys: signingKeys(secret),
};
const headers = deliveryHeaders({ ...signable, at: new Date() });

test("the Standard Webhooks library verifies a delivery with the secret as shown", () => {
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(new Webhook(secret).verify(Buffer.from(body), headers)).toEqual(JSON.parse(body));
});

test("webhook-signature equals the library's signature for any secret", () => {
  for (const bytes of [Buffer.alloc(32), Buffer.alloc(32, 0xff), randomBytes(32), randomBytes(32), randomBytes(32)]) {
    const one = `whsec_${bytes.toString("base64")}`;
    const at = new Date(1_795_185_600_999);
    const sent = deliveryHeaders({ ...signable, keys: signingKeys(one), at });
    expect(sent["webhook-signature"]).toBe(new Webhook(one).sign(signable.deliveryId, at, body));
    expect(sent["webhook-timestamp"]).toBe("1795185600");
  }
});

test("x-botstead-signature verifies the same delivery", () => {
  expect(verifyDelivery(body, headers, secret)).toEqual(JSON.parse(body));
});

test("both schemes have the same id and timestamp", () => {
  expect(headers["webhook-id"]).toBe(headers["x-botstead-delivery"]);
  expect(headers["webhook-timestamp"]).toBe(headers["x-botstead-timestamp"]);
});

test("webhook-signature has a v1a signature of each private key, which its public key verifies; v1 stays valid", () => {
  const pairs = [generateKeyPairSync("ed25519"), generateKeyPairSync("ed25519")];
  const privateKeys = pairs.map(({ privateKey }) => privateKey);
  const sent = deliveryHeaders({ ...signable, privateKeys, at: new Date() });
  const [v1 = "", ...publicly] = (sent["webhook-signature"] ?? "").split(" ");
  expect(v1).toBe(
    new Webhook(secret).sign(signable.deliveryId, new Date(Number(sent["webhook-timestamp"]) * 1_000), body),
  );
  expect(publicly).toHaveLength(2);
  for (const [at, { publicKey }] of pairs.entries()) {
    const [version, signature = ""] = (publicly[at] ?? "").split(",");
    const content = Buffer.from(`${sent["webhook-id"]}.${sent["webhook-timestamp"]}.${body}`);
    expect([version, verify(null, content, publicKey, Buffer.from(signature, "base64"))]).toEqual(["v1a", true]);
  }
  expect(new Webhook(secret).verify(body, sent)).toEqual(JSON.parse(body));
});

test("a JSON Web Key has the thumbprint of RFC 8037, appendix A.3, as its id", () => {
  const x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
  const key = jsonWebKeyOf(Buffer.from(x, "base64url"));
  expect(key).toMatchObject({ kty: "OKP", crv: "Ed25519", x, kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k" });
  expect(createPublicKey({ key, format: "jwk" }).asymmetricKeyType).toBe("ed25519");
});

describe("the Standard Webhooks library refuses", () => {
  const anew = (seconds: number) => deliveryHeaders({ ...signable, at: new Date(Date.now() + seconds * 1_000) });
  test.each<[string, () => unknown]>([
    ["another secret", () => new Webhook(`whsec_${randomBytes(32).toString("base64")}`).verify(body, headers)],
    ["a changed body", () => new Webhook(secret).verify(`${body} `, headers)],
    ["another delivery's id", () => new Webhook(secret).verify(body, { ...headers, "webhook-id": "other" })],
    ["a signature from 301 seconds ago", () => new Webhook(secret).verify(body, anew(-302))],
    ["one of 301 seconds hence", () => new Webhook(secret).verify(body, anew(302))],
    ["our own scheme's key, the secret's text", () => new Webhook(secret, { format: "raw" }).verify(body, headers)],
  ])("%s", (_what, verify) => {
    expect(verify).toThrow();
  });
});
