import "reflect-metadata"; // before @peculiar/x509, which needs it
import { createPrivateKey, KeyObject, webcrypto } from "node:crypto";
import { isIP } from "node:net";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

/** A key and its certificate, both in PEM. */
export type Certificate = { key: string; cert: string };

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const makeKeys = () => webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);

const inPem = ({ privateKey }: webcrypto.CryptoKeyPair, certificate: X509Certificate): Certificate => ({
  key: KeyObject.from(privateKey).export({ type: "pkcs8", format: "pem" }).toString(),
  cert: certificate.toString("pem"),
});

/** Creates a certificate authority, valid for a year. Clients trust it only with its `cert`. */
export async function makeAuthority(name = "Botstead receivers on this machine"): Promise<Certificate> {
  const keys = await makeKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return inPem(keys, certificate);
}

/** Issues a server certificate for `hosts`, names or addresses, valid for a year. */
export async function issueCertificate(authority: Certificate, hosts: readonly string[]): Promise<Certificate> {
  const keys = await makeKeys();
  const certificate = await X509CertificateGenerator.create({
    subject: "CN=Botstead receiver",
    issuer: new X509Certificate(authority.cert).subjectName,
    publicKey: keys.publicKey,
    signingKey: createPrivateKey(authority.key).toCryptoKey(algorithm, false, ["sign"]),
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(hosts.map((value) => ({ type: isIP(value) ? "ip" : "dns", value }))),
    ],
  });
  return inPem(keys, certificate);
}
