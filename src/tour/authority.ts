/**
 * The authority of the tour's receiver, made once and kept in the data folder: a server can only be told to trust it
 * when it stays the same from one tour to the next.
 */
import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Certificate, makeAuthority } from "./certificates.ts";

/** `file` is what WEBHOOK_CA_FILE is to name. */
export type KeptAuthority = Certificate & { file: string };

/** The authority in `<dataDir>/tour`, made anew where there is none or where it ends within a day. */
export async function keptAuthority(dataDir: string): Promise<KeptAuthority> {
  const folder = join(dataDir, "tour");
  const file = join(folder, "ca.pem");
  const keyFile = join(folder, "ca.key");
  if (existsSync(file) && existsSync(keyFile)) {
    const kept = { key: readFileSync(keyFile, "utf8"), cert: readFileSync(file, "utf8"), file };
    if (lastsAnotherDay(kept.cert)) return kept;
  }
  const made = await makeAuthority("Botstead's tour");
  mkdirSync(folder, { recursive: true });
  writeFileSync(keyFile, made.key, { mode: 0o600 });
  writeFileSync(file, made.cert);
  return { ...made, file };
}

function lastsAnotherDay(certificate: string): boolean {
  return new X509Certificate(certificate).validToDate.getTime() > Date.now() + 86_400_000;
}
