/** `botstead build`: makes what a process cannot make itself where its user owns nothing (docs/deploying.md). */
import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { prepareBinaries } from "../database/embedded/binaries.ts";
import { print } from "../terminal.ts";
import { builtFolder } from "../web/front/built.ts";
import { compileWithFlagsOfParts } from "./compile-cache.ts";

/**
 * Compiles the code, builds the pages for browsers, and links the libraries of the embedded PostgreSQL.
 *
 * @param user name or id of the system user that runs the processes, if it is another user
 * @throws Error if either fails, or without such a user
 */
export async function build(user?: string): Promise<void> {
  const uid = user === undefined ? undefined : uidOf(user);
  prepareBinaries();
  const ownCode = getCompileCacheDir(); // its parent has a folder for each set of V8's flags
  if (ownCode === undefined) throw new Error("Node stores no compiled code here: unset NODE_DISABLE_COMPILE_CACHE.");
  const code = dirname(ownCode);
  rmSync(code, { recursive: true, force: true, maxRetries: 10 }); // of an earlier version, while a process may add to it
  await compileWithFlagsOfParts(code);
  if (uid !== undefined) linkFor(uid, code);
  const pages = await builtFolder();
  for (const folder of [code, pages]) shareWithAllUsers(folder);
  await print(`Code compiled: ${code}\nPages built: ${pages}\n`);
}

function uidOf(user: string): string {
  if (/^\d+$/.test(user)) return user;
  const { status, stdout } = spawnSync("id", ["-u", user], { encoding: "utf8" });
  if (status !== 0) throw new Error(`There is no system user ${user}: create it first, or name another one.`);
  return stdout.trim();
}

/** Node names the folder of compiled code after V8's version and flags, and the user id of its process. */
function linkFor(uid: string, code: string): void {
  const [own = ""] = readdirSync(code);
  const other = own.replace(/\d+$/, uid);
  if (other !== own) symlinkSync(own, join(code, other));
}

/** Node writes compiled code for the user alone, and the processes run as another user. Neither has secrets. */
function shareWithAllUsers(folder: string): void {
  for (const place of [dirname(folder), folder]) chmodSync(place, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}
