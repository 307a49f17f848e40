import { spawnSync } from "node:child_process";
import { lchownSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The user that PostgreSQL runs as when this process is root, which PostgreSQL refuses to be. */
export type Account = { uid: number; gid: number };

const SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * The user for the server of `cluster`; undefined for this process's own. As root: the owner of an existing cluster,
 * else the user `botstead` or `postgres`, else a new system user `botstead`.
 *
 * @throws Error if the cluster belongs to another user, or no user can be created
 */
export function accountFor(cluster: string): Account | undefined {
  const owner = statSync(cluster, { throwIfNoEntry: false });
  const self = process.getuid?.();
  if (self !== 0) {
    if (!owner || owner.uid === self) return undefined;
    throw new Error(`The database in ${cluster} belongs to the user with id ${owner.uid}: start as that user or root.`);
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return lookUp("botstead") ?? lookUp("postgres") ?? createAccount();
}

function lookUp(name: string): Account | undefined {
  const [uid, gid] = ["-u", "-g"].map((option) => {
    const { status, stdout } = run("id", [option, name]);
    return status === 0 ? Number(stdout) : 0;
  });
  return uid && gid ? { uid, gid } : undefined; // id 0 would be root by another name
}

function createAccount(): Account {
  const common = ["--system", "--no-create-home", "--home-dir", "/nonexistent"];
  run("useradd", [...common, "--shell", "/usr/sbin/nologin", "--user-group", "botstead"]);
  // Busybox has no useradd. Of two concurrent starts one fails here and finds the user of the other.
  if (!lookUp("botstead")) {
    run("addgroup", ["-S", "botstead"]);
    run("adduser", ["-S", "-D", "-H", "-h", "/nonexistent", "-s", "/sbin/nologin", "-G", "botstead", "botstead"]);
  }
  const account = lookUp("botstead");
  if (account) return account;
  throw new Error(
    "PostgreSQL does not run as root, and a system user “botstead” could not be created: create one, or start as an ordinary user.",
  );
}

function run(command: string, args: string[]) {
  return spawnSync(command, args, { encoding: "utf8", env: { PATH: SYSTEM_PATH } });
}

/** Whether the account can traverse to `folder`. Only its own group counts: spawning with a uid drops the others. */
export function canReach(account: Account, folder: string): boolean {
  const { uid, gid, mode } = statSync(folder);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if (!(mode & bit)) return false;
  return folder === dirname(folder) || canReach(account, dirname(folder));
}

/** Gives a folder to the account, the folder itself last, so that the next start repeats an interrupted change. */
export function giveTo(account: Account, folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    lchownSync(join(folder, name), account.uid, account.gid);
  }
  lchownSync(folder, account.uid, account.gid);
}
