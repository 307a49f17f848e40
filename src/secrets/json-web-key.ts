import { createHash, type JsonWebKey } from "node:crypto";

/** A published key. Its id is the thumbprint of RFC 7638. @param publicKey 32 bytes */
export function jsonWebKeyOf(publicKey: Buffer): JsonWebKey {
  const key = { crv: "Ed25519", kty: "OKP", x: publicKey.toString("base64url") };
  const kid = createHash("sha256").update(JSON.stringify(key)).digest("base64url");
  return { ...key, kid, alg: "EdDSA", use: "sig" };
}
