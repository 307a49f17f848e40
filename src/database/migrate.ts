/**
 * Migrates a database: roles, then under one lock the job queue, committed migrations, definitions and partitions. Safe
 * to repeat: a second run changes nothing and completes an interrupted one. Concurrent runs wait for each other.
 */
import { type Client, escapeIdentifier } from "pg";
import { rangeText } from "../delivery/address.ts";
import type { AllowedTargets } from "../delivery/webhook-url.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import {
  type Build,
  type Difference,
  isRecorded,
  type Reference,
  readReference,
  recordOwnInventory,
  unrestoredFindings,
} from "./builds.ts";
import { applyDefinitions } from "./definitions.ts";
import { ensureDatabase } from "./ensure-database.ts";
import { ensureRoles, retryConflicts } from "./ensure-roles.ts";
import { differencesOfLogins, ignoreMissingLogin } from "./inspect-database.ts";
import { describeMissingRight, inspect, isStillMigrated, listDifferences, refuseDifferences } from "./inspection.ts";
import { refusedLogins } from "./logins.ts";
import { defaultLockTimeoutMs, withMigrationLock } from "./migration-lock.ts";
import { refuseDuringMove } from "./moves.ts";
import { migrateQueue } from "./queue.ts";
import { requireNoSessions } from "./reseal.ts";
import { loginsOf } from "./role-passwords.ts";
import { asOwner, connect, loginOf, refuseOldServer, serverVersion } from "./sessions.ts";
import { migrateTables } from "./tables.ts";
import { urlAs, urlOfDatabase } from "./urls.ts";

export type Migration = {
  /** URL of a login that may create roles, and schemas in this database. */
  adminUrl: string;
  key: MasterKey;
  /** Look for changes by hand even if the definitions are current. */
  examine?: boolean;
  /** Rebuild the definitions over changes by hand, and record these. Set passwords that were changed by hand. */
  repair?: boolean;
  /** Replace the passwords of another master key. */
  keyIsLost?: boolean;
  /** What WEBHOOK_ALLOW_RANGES and WEBHOOK_ALLOW_HOSTS allow. Undefined: unchanged. */
  allowed?: AllowedTargets | undefined;
  /** This process just created the database, so it need not be compared with a new one. */
  isNew?: boolean;
  /** Leave the record of a new database to `recordNew`, which takes a second. If that never runs, the next migration rebuilds. */
  recordsLater?: boolean;
  progress?: (sentence: string) => void;
  /** How long to wait for another migration, and for sessions that lock tables. Defaults to 120 seconds each. */
  lockTimeoutMs?: number;
};

/**
 * Brings a database to the state that this version needs.
 *
 * @returns with `examine`, if the definitions were current: the findings that no migration changes
 * @throws Error if the server is too old, a newer version made the database, or its definitions were changed by hand
 * @throws Error if a role is not ours or has a password of another master key, unless `keyIsLost`; with `keyIsLost` if a process
 *   of the service is connected
 * @throws Error if a file fails, another session holds the lock for too long, or an organisation moves between cells
 */
export async function migrate({
  adminUrl,
  key,
  examine = false,
  repair = false,
  keyIsLost = false,
  allowed,
  isNew = false,
  recordsLater = false,
  progress = () => {},
  lockTimeoutMs = defaultLockTimeoutMs,
}: Migration): Promise<Difference[] | undefined> {
  return migrateWith({ adminUrl, key, examine, repair, keyIsLost, allowed, progress, lockTimeoutMs }, async (admin) =>
    isNew ? (recordsLater ? "later" : "new") : makeReference(admin, adminUrl, key, progress),
  );
}

/** @param reference makes what later changes are compared with */
async function migrateWith(
  {
    adminUrl,
    key,
    examine,
    repair,
    keyIsLost,
    allowed,
    progress,
    lockTimeoutMs,
  }: Required<Omit<Migration, "isNew" | "recordsLater" | "allowed">> & Pick<Migration, "allowed">,
  reference: (admin: Client) => Promise<Reference>,
): Promise<Difference[] | undefined> {
  const ownerUrl = urlAs("owner", adminUrl, key);
  const admin = await connect(adminUrl);
  try {
    const server = await serverVersion(admin);
    refuseOldServer(server);
    if (keyIsLost) await requireNoSessions(admin);
    const inspection = async (owner: Client) => {
      const found = await inspect(owner, server, examine || repair);
      if (!repair) refuseDifferences(found);
      return found;
    };
    const refused = examine || repair ? await refusedLogins(await loginsOf(admin, key), adminUrl, key) : [];
    const before = await asOwner(ownerUrl, inspection).catch(ignoreMissingLogin); // refuses before anything changes
    const ofLogins = differencesOfLogins(refused, before?.differences);
    if (!repair && !keyIsLost) refuseDifferences({ builtBy: before?.builtBy, differences: ofLogins });
    const list = before && listDifferences(before);
    if (list) progress(list);
    const isOfRole = ({ object }: Difference) => object.startsWith("role ");
    const ofRoles = [...(before?.differences ?? []).filter(isOfRole), ...ofLogins];
    const changed = repair ? refused.map(({ role }) => role) : [];
    await ensureRoles(admin, key, { replace: keyIsLost, changed, progress });
    await retryConflicts(admin, () => ensureDatabase(admin));
    return await withMigrationLock(ownerUrl, lockTimeoutMs, () => asOwner(ownerUrl, apply), progress);

    async function apply(owner: Client): Promise<Difference[] | undefined> {
      // An inspection takes a second. A concurrent run may have migrated since.
      const found = before && (await isStillMigrated(owner, before)) ? before : await inspection(owner);
      const { isCurrent, differences } = found;
      if (!isCurrent || repair) await refuseDuringMove(owner, "The definitions were not changed.");
      progress("Applying migrations");
      // Neither refers to objects of the other. Both end before an error is reported, so that none outlasts the lock.
      const ended = await Promise.allSettled([migrateQueue(ownerUrl), migrateTables(owner, ownerUrl, lockTimeoutMs)]);
      for (const each of ended) if (each.status === "rejected") throw each.reason;
      if (!isCurrent || repair) {
        progress("Applying definitions");
        // A repair does not trust the present record, which may have been changed too.
        const made = await reference(admin);
        const build: Build = {
          builtBy: await loginOf(admin),
          differences: [...ofRoles, ...differences.filter((each) => !isOfRole(each))],
          reference: isCurrent && made === "own" ? "recorded" : made,
        };
        await applyDefinitions(owner, build, { lockTimeoutMs, progress });
      }
      await owner.query("select jobs.make_partitions('1 minute')");
      if (allowed) {
        await allowTargets(owner, allowed);
        await owner.query("select service.record_settings_digest()");
      }
      return examine && isCurrent && !repair ? unrestoredFindings(owner) : undefined;
    }
  } catch (error) {
    throw describeMissingRight(error);
  } finally {
    await admin.end();
  }
}

/** The database refuses endpoints at other private targets. (sql/triggers/addresses.sql) */
export async function allowTargets(
  db: { query: (text: string, values: unknown[]) => Promise<unknown> },
  { ranges, hosts }: AllowedTargets,
): Promise<void> {
  await db.query(
    `update app.service_settings set webhook_allow_ranges = $1, webhook_allow_hosts = $2
     where (webhook_allow_ranges, webhook_allow_hosts) is distinct from ($1::cidr[], $2::text[])`,
    [ranges.map(rangeText), hosts],
  );
}

/** Completes a migration with `isNew` and `recordsLater`. Another migration waits meanwhile. */
export async function recordNew(adminUrl: string, key: MasterKey): Promise<void> {
  const ownerUrl = urlAs("owner", adminUrl, key);
  await withMigrationLock(ownerUrl, defaultLockTimeoutMs, () =>
    asOwner(ownerUrl, async (owner) => {
      if (!(await isRecorded(owner))) await recordOwnInventory(owner);
    }),
  );
}

/** Creates the roles alone. A dump refers to them and does not contain them. */
export async function createRoles(adminUrl: string, key: MasterKey): Promise<void> {
  const admin = await connect(adminUrl);
  try {
    refuseOldServer(await serverVersion(admin));
    await ensureRoles(admin, key);
  } finally {
    await admin.end();
  }
}

/**
 * The inventory of a new database of this version. It is created beside the migrated one from template0, and dropped.
 * So a change by hand never counts as built. Without the privilege to create one, the database itself is the
 * reference.
 */
async function makeReference(
  admin: Client,
  adminUrl: string,
  key: MasterKey,
  progress: (sentence: string) => void,
): Promise<Reference> {
  const { rows } = await admin.query<{ name: string }>("select left(current_database(), 40) || '_reference' as name");
  const name = rows[0]?.name ?? "";
  const drop = `drop database if exists ${escapeIdentifier(name)}`;
  const dropAnyway = () => admin.query(`${drop} with (force)`);
  await dropAnyway(); // left by a migration that was killed
  try {
    await admin.query(`create database ${escapeIdentifier(name)} template template0`);
    // Audits report a database that is open to PUBLIC.
    await admin.query(
      `revoke connect on database ${escapeIdentifier(name)} from public; grant connect on database ${escapeIdentifier(name)} to owner`,
    );
  } catch (error) {
    if ((error as { code?: string }).code !== "42501") throw error;
    progress("The administrator may not create databases, so this database is not compared with a new one");
    return "own";
  }
  try {
    const url = urlOfDatabase(name, adminUrl);
    await migrateWith(
      {
        ...{ adminUrl: url, key, examine: false, repair: false, keyIsLost: false },
        ...{ progress: () => {}, lockTimeoutMs: defaultLockTimeoutMs, allowed: undefined },
      },
      async () => "new",
    );
    return await asOwner(urlAs("owner", url, key), readReference);
  } finally {
    // Connections of the migrations may still be closing. PostgreSQL waits 5 s for them. A connection that it ends would be an error.
    await admin.query(drop).catch(dropAnyway);
  }
}
