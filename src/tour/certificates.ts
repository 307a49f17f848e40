import { isIP } from "node:net";
import { generate } from "selfsigned";

/** A key and its certificate, both in PEM. */
export type Certificate = { key: string; cert: string };

const strength = { keyType: "ec", algorithm: "sha256" } as const;

/** Makes a certificate authority that nobody trusts until they are given its `cert`. */
export async function makeAuthority(name = "Botstead receivers on this machine"): Promise<Certificate> {
  const made = await generate([{ name: "commonName", value: name }], {
    ...strength,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key: made.private, cert: made.cert };
}

/** Makes a server's certificate for `hosts`, which are names and addresses, signed by `authority`. Good for a year. */
export async function issueCertificate(authority: Certificate, hosts: readonly string[]): Promise<Certificate> {
  const made = await generate([{ name: "commonName", value: "Botstead receiver" }], {
    ...strength,
    ca: authority,
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames: hosts.map((host) => alternativeName(host)) },
    ],
  });
  return { key: made.private, cert: made.cert };
}

/** 2 and 7 are the tags of a DNS name and of an address in a certificate's list of alternative names. */
function alternativeName(host: string) {
  return isIP(host) ? ({ type: 7, ip: host } as const) : ({ type: 2, value: host } as const);
}
