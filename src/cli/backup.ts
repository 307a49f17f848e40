/** Backups of the embedded database, and their restore (docs/backups.md). */
import { join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import type { Client } from "pg";
import { type Config, readConfig } from "../config.ts";
import { requireDatabase } from "../database/access.ts";
import type { Backup } from "../database/backup/archive.ts";
import { withSession } from "../database/connections/session.ts";
import { hasMasterKey, loadMasterKey, pathIn } from "../secrets/master-key.ts";
import { printError } from "../terminal.ts";
import { asAuditor } from "./audit-session.ts";
import { checking, explainExitCodes } from "./checking.ts";
import { asOperator, commandLineUser, connectedAs, type Place, withServer } from "./database.ts";
import { type Format, printable, printChange, printList } from "./output.ts";
import { within } from "./texts.ts";

const say = (sentence: string) => void printError(`${sentence}\n`);

export function backupCommand(): Command {
  const command = new Command("backup")
    .description("take a base backup of the running embedded database into BACKUP_DIR")
    .option("--keep <count>", "afterwards remove older backups of this database, and WAL that only they need", count)
    .action(({ keep }: { keep?: number }) => backUp(keep));
  printable(command.command("list"))
    .description("list complete backups: name, time of their end; the oldest first")
    .action(async (format: Format) => {
      const { listBackups } = await import("../database/backup/archive.ts");
      const backups = listBackups(requireBackupDir(readConfig())).map(({ name, endedAt }) => ({ name, endedAt }));
      printList(backups, ({ name, endedAt }) => [name, endedAt.toISOString()], format);
    });
  const verify = printable(command.command("verify"))
    .description("compare a backup with its manifest, and look for gaps in the WAL after it")
    .argument("[backup]", "its name; default: the newest")
    .action((name: string | undefined, format: Format) => checking(() => isComplete(name, format)));
  explainExitCodes(verify, "the backup is complete");
  command
    .command("record")
    .description(
      "record that another tool has just ended a backup of your own PostgreSQL, for the metric and its alert",
    )
    .argument("<tool>", "its name, 1 to 60 characters", (text) => within(text, 60))
    .action((name: string) => asOperator("select operator.note_backup('back_up', $1)", [name]).then(() => {}));
  return command;
}

export function restoreCommand(): Command {
  return new Command("restore")
    .description("restore a backup from BACKUP_DIR into a data folder that has no database")
    .argument("[backup]", "its name; default: the newest before --to-time")
    .option(
      "--to-time <time>",
      "replay the WAL archive up to this time, such as 2026-11-23T10:00:00Z; default: all of it",
      time,
    )
    .option("--lost-master-key", "replace the passwords of a master key that is lost (docs/backups.md)")
    .action(restore);
}

async function isComplete(name: string | undefined, format: Format): Promise<boolean> {
  const { verifyFiles } = await import("../database/backup/manifest.ts");
  const { verifyWal } = await import("../database/backup/wal.ts");
  const backup = await findBackup(readConfig(), name);
  let faults = verifyFiles(backup.folder);
  if (faults.length === 0) faults = verifyWal(backup);
  for (const fault of faults) say(fault);
  const sentence = `Backup ${backup.name} ${faults.length > 0 ? "cannot be relied on" : "is complete"}.`;
  if (format.json) printChange(sentence, { name: backup.name, faults }, format);
  else say(sentence);
  return faults.length === 0;
}

async function backUp(keep: number | undefined): Promise<void> {
  const config = readConfig();
  refuseOwnServer(config, "back it up with pg_basebackup or another tool, then run botstead backup record");
  const backupDir = requireBackupDir(config);
  requireDatabase(config);
  const { archiveFor } = await import("../database/backup/archive.ts");
  const { untilArchived } = await import("../database/backup/archiving.ts");
  const { takeBackup } = await import("../database/backup/base.ts");
  const { keepNewest } = await import("../database/backup/retention.ts");
  const { accountFor } = await import("../database/embedded/account.ts");
  const cluster = join(config.dataDir, "postgres");
  const archive = archiveFor(backupDir, cluster, accountFor(cluster));
  await withServer(async (place) => {
    const backup = await connected(place.adminUrl, async (admin) => {
      const taken = await takeBackup(admin, cluster, archive);
      if (!(await untilArchived(admin, taken.lastWal))) {
        say("The server was started without BACKUP_DIR: restart it, so that it archives the WAL that follows.");
      }
      return taken;
    });
    await noteBackup(place, "back_up", backup.name);
    say(`Backup ${backup.name} is complete: ${Math.ceil(backup.bytes / 1e6)} MB.`);
    for (const name of keep === undefined ? [] : keepNewest(backup, keep)) say(`Backup ${name} is removed.`);
  }, config);
  const key = config.masterKey ? "MASTER_KEY" : pathIn(config.dataDir);
  say(`The master key is not in the backup. Keep ${key} elsewhere: without it no secret can be decrypted.`);
}

type RestoreOptions = { toTime?: Date; lostMasterKey?: boolean };

async function restore(
  name: string | undefined,
  { toTime: until, lostMasterKey: keyIsLost = false }: RestoreOptions,
): Promise<void> {
  const config = readConfig();
  refuseOwnServer(config, "restore it with the tool that made the backup");
  const backup = await findBackup(config, name, until);
  if (!hasMasterKey(config) && !keyIsLost) {
    throw new Error(
      `The master key is missing: set MASTER_KEY, or put it into ${pathIn(config.dataDir)}. If it is lost, run: botstead restore --lost-master-key`,
    );
  }
  const key = loadMasterKey(config);
  const { restoreBackup } = await import("../database/backup/restore.ts");
  const { ensureRoles } = await import("../database/ensure-roles.ts");
  const { urlOfDatabase } = await import("../database/urls.ts");
  let faults: string[] = [];
  await restoreBackup({
    backup,
    dataDir: config.dataDir,
    password: key.password("postgres"),
    replacesPassword: keyIsLost,
    until,
    progress: say,
    examine: async (url) => {
      const place = { config, key, adminUrl: urlOfDatabase("botstead", url) };
      if (keyIsLost) await connected(place.adminUrl, (admin) => ensureRoles(admin, key, { replace: true }));
      const { rows } = await asAuditor(
        (auditor) => auditor.query<{ organisation_id: string; fault: string }>("select * from audit.verify_chain()"),
        place,
      );
      faults = rows.map(({ organisation_id, fault }) => `Audit log of organisation ${organisation_id}: ${fault}.`);
      await noteBackup(place, "restore", backup.name);
    },
  });
  for (const fault of faults) say(fault);
  say(
    `Backup ${backup.name} is restored${until ? ` up to ${until.toISOString()}` : ""}. Start Botstead, then take a new backup.`,
  );
  if (keyIsLost) say("Before the start run: botstead migrate --lost-master-key");
  if (faults.length > 0) throw new Error("The audit log of the restored database has faults.");
}

async function findBackup(config: Config, name: string | undefined, until?: Date): Promise<Backup> {
  const { listBackups } = await import("../database/backup/archive.ts");
  const backupDir = requireBackupDir(config);
  const found = listBackups(backupDir)
    .filter((backup) => (name === undefined || backup.name === name) && !(until && backup.endedAt > until))
    .at(-1);
  if (found) return found;
  const named = name === undefined ? "no complete backup" : `no complete backup ${name}`;
  throw new Error(`There is ${named}${until ? ` that ended before ${until.toISOString()}` : ""} in ${backupDir}.`);
}

const noteBackup = (place: Place, action: "back_up" | "restore", name: string) =>
  connectedAs("cli", place, (cli) => cli.query("select operator.note_backup($1, $2)", [action, name]));

const connected = <T>(url: string, use: (admin: Client) => Promise<T>): Promise<T> =>
  withSession(url, commandLineUser(), use);

function refuseOwnServer({ databaseUrl }: Config, instead: string): void {
  if (databaseUrl) throw new Error(`DATABASE_URL names a PostgreSQL of your own: ${instead} (docs/backups.md).`);
}

function requireBackupDir({ backupDir }: Config): string {
  if (backupDir === undefined)
    throw new Error("Set BACKUP_DIR to a folder for backups, on another disk than DATA_DIR.");
  return backupDir;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("It must be a number from 1 to 9999.");
  return Number(text);
}

function time(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime()) || !/(Z|[+-]\d\d:\d\d)$/.test(text)) {
    throw new InvalidArgumentError("It must be a time with its zone, such as 2026-11-23T10:00:00Z.");
  }
  return at;
}
