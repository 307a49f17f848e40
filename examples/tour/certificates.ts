import { isIP } from "node:net";
import { generate } from "selfsigned";

/** A key and its certificate, both in PEM. */
export type Certificate = { key: string; cert: string };

const strength = { keyType: "ec", algorithm: "sha256" } as const;

/** Creates a certificate authority. Clients trust it only with its `cert`. */
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

/** Issues a server certificate for `hosts`, names or addresses, valid for a year. */
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

/** Subject alternative names have type 2 for a DNS name and 7 for an address. */
function alternativeName(host: string) {
  return isIP(host) ? ({ type: 7, ip: host } as const) : ({ type: 2, value: host } as const);
}
