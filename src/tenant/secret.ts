/**
 * The signing secret of `botstead listen`, kept between its starts: a receiver that has it needs no change at each start. It
 * signs what goes to a local address only, so it lies in a file that its owner alone can read.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Environment, fileOf } from "./login.ts";

export function keptSecret(env: Environment): string {
  const file = fileOf(env, "listen-secret");
  const made = `whsec_${randomBytes(32).toString("base64")}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: "wx" }); // of two first starts one makes it
    return made;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") throw new Error(`The secret cannot be kept (${message}). Pass one as --secret whsec_….`);
  }
  const kept = readFileSync(file, "utf8").trim();
  if (!/^whsec_[A-Za-z0-9+/]{43}=$/.test(kept)) throw new Error(`${file} has no signing secret. Delete the file.`);
  return kept;
}
