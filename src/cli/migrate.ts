/** `botstead migrate`: migrates the database to this version, or says what that would do. */
import { Command, Option } from "commander";
import { targetsOf } from "../config/outbound.ts";
import { readConfig } from "../config.ts";
import { printError } from "../terminal.ts";
import { checking } from "./checking.ts";
import { type Place, runningDatabase, withServer } from "./database.ts";
import { beforeLoss, replaceLostKey } from "./lost-master-key.ts";

type Options = { check?: true; repair?: boolean; roles?: true; lostMasterKey?: boolean };

const say = (sentence: string) => void printError(`${sentence}\n`);

export function migrateCommand(): Command {
  return new Command("migrate")
    .description("migrate the database to this version; safe to run at any time")
    .addOption(
      new Option("--check", "change nothing: print what would be done, and what was changed by hand").conflicts(
        "repair",
      ),
    )
    .addOption(
      new Option("--roles", "only create the roles, before a dump is restored (docs/backups.md)").conflicts([
        "check",
        "repair",
      ]),
    )
    .addOption(
      new Option("--lost-master-key", "replace the passwords of a master key that is lost (docs/backups.md)").conflicts(
        ["check", "roles"],
      ),
    )
    .option("--repair", "record what was changed by hand, and rebuild functions, views, policies and privileges")
    .addHelpText(
      "after",
      "\nExit codes with --check: 0 a migration would change nothing, 1 otherwise, 3 could not check.",
    )
    .action(async ({ check, repair = false, roles, lostMasterKey = false }: Options) => {
      if (roles) await withServer(createRolesAlone);
      else if (check) await checking(isUpToDate);
      else await migrateTo({ repair, keyIsLost: lostMasterKey });
    });
}

async function createRolesAlone({ adminUrl, key }: Place): Promise<void> {
  const { createRoles } = await import("../database/migrate.ts");
  await createRoles(adminUrl, key);
  say("The roles are created.");
}

function migrateTo(options: { repair: boolean; keyIsLost: boolean }): Promise<void> {
  const { keyIsLost } = options;
  if (keyIsLost) say(beforeLoss);
  return withServer(
    async ({ adminUrl, key, config }, started) => {
      const { describeDifferences } = await import("../database/inspection.ts");
      const { inspectDatabase } = await import("../database/inspect-database.ts");
      const { migrate } = await import("../database/migrate.ts");
      const place = { adminUrl, key, allowed: targetsOf(config) };
      const isNew = started?.isNew ?? false;
      const unchanged = await migrate({ ...options, ...place, examine: true, isNew, progress: say });
      if (keyIsLost) await replaceLostKey({ adminUrl, key, config });
      const { differences = [], unrestored = [] } = unchanged ? {} : ((await inspectDatabase(adminUrl, key)) ?? {});
      const remaining = unchanged ?? [...differences, ...unrestored];
      if (remaining.length === 0) return say("Migrations applied. The database is up to date.");
      say(
        "Migrations applied. These differences remain. Put them back by hand, or accept them (botstead audit accept):\n" +
          describeDifferences(remaining),
      );
    },
    readConfig(),
    keyIsLost,
  );
}

async function isUpToDate(): Promise<boolean> {
  const { adminUrl, key } = await runningDatabase();
  const { describeDifferences } = await import("../database/inspection.ts");
  const { inspectDatabase } = await import("../database/inspect-database.ts");
  const found = await inspectDatabase(adminUrl, key);
  if (!found || found.isNew) {
    say("The database is empty. Every migration would run.");
    return false;
  }
  for (const file of found.pending) say(`The migration ${file} would run.`);
  if (!found.isCurrent) say("The definitions would be rebuilt.");
  if (found.differences.length > 0) {
    say(`Changed by hand since version ${found.builtBy} built it:\n${describeDifferences(found.differences)}`);
  }
  if (found.unrestored.length > 0) {
    say(`Findings of the audit that a migration does not change:\n${describeDifferences(found.unrestored)}`);
  }
  const isUpToDate = found.pending.length === 0 && found.isCurrent && found.differences.length === 0;
  if (isUpToDate) say("The database is up to date.");
  return isUpToDate;
}
