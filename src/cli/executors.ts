/** The commands for external executors: each gets its own login to the database (docs/executors.md). */
import { setTimeout as sleep } from "node:timers/promises";
import { Command, InvalidArgumentError } from "commander";
import type { Client } from "pg";
import { withSession } from "../database/connections/session.ts";
import {
  type ExecutorLogin,
  listExecutorLogins,
  makeExecutorLogin,
  revokeExecutorLogin,
} from "../database/executor-logins.ts";
import { type Attribution, attributedAll } from "./attribution.ts";
import { day, expiry, type Named } from "./credentials.ts";
import { commandLineUser, connectedAs, type Place, withDatabase } from "./database.ts";
import { type Format, printable, printChange, printList } from "./output.ts";

export function executorCommand(): Command {
  const command = new Command("executor").description(
    "logins for your own executors, which run beside the built-in one",
  );
  printable(command.command("mint"))
    .description("create a login and print its address with the password, once")
    .requiredOption("--name <name>", "its purpose: a to z, digits and _, 1 to 40 characters", roleName)
    .addOption(expiry())
    .action(async ({ name, expiresDays, json, ...attribution }: Named & Format) => {
      await asAdministrator(async (admin, place) => {
        const note = () => noteExecutor(place, attribution, "mint_executor", name, expiresDays);
        const { role, password } = await makeExecutorLogin(admin, name, expiresDays, note);
        const url = new URL(place.adminUrl);
        url.username = role;
        url.password = password;
        printChange(url.href, { name, url: url.href }, { json });
      });
    });
  printable(command.command("list"))
    .description("list logins: name, expiry, connections")
    .action((format: Format) =>
      asAdministrator(async (admin) => printList(await listExecutorLogins(admin), columns, format)),
    );
  printable(command.command("revoke"))
    .description("revoke a login and end its sessions at once")
    .argument("<name>")
    .action(async (name: string, { json, ...attribution }: Attribution & Format) => {
      let isNoted = false;
      await whileLocksAreFull(() =>
        asAdministrator(async (admin, place) => {
          const note = async () => {
            if (!isNoted) await noteExecutor(place, attribution, "revoke_executor", name);
            isNoted = true;
          };
          if (!(await revokeExecutorLogin(admin, name, note)))
            throw new Error("No login of an executor has that name.");
        }),
      );
      printChange(`The login ${name} is revoked.`, { name, state: "revoked" }, { json });
    });
  return attributedAll(command, "mint", "revoke");
}

const columns = ({ name, expires, connected }: ExecutorLogin): string[] => [
  ...[name, `until ${day(expires)}`, connected === 1 ? "1 connection" : `${connected} connections`],
];

/** Creating roles needs the administrator's login in DATABASE_URL, as `migrate` does. */
async function asAdministrator(use: (admin: Client, place: Place) => Promise<void>): Promise<void> {
  await withDatabase((place) => withSession(place.adminUrl, commandLineUser(), (admin) => use(admin, place)));
}

const retryTimeoutMs = 60_000;
const pauseMs = 200;

/** The login to revoke may fill the lock table, so that every log-in fails. A worker ends its sessions within seconds. */
async function whileLocksAreFull(revoke: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + retryTimeoutMs; ; await sleep(pauseMs)) {
    try {
      return await revoke();
    } catch (error) {
      if ((error as { code?: string }).code !== "53200") throw error;
      if (Date.now() > until)
        throw new Error(
          "The lock table of PostgreSQL is full, so every log-in fails. End the sessions of the login on the machine of the " +
            "database, then repeat the command (docs/executors.md).",
        );
    }
  }
}

/** Adds an entry to the operator log as cli, since an administrator who is no superuser cannot. */
async function noteExecutor(
  place: Place,
  attribution: Attribution,
  action: string,
  name: string,
  days: number | null = null,
): Promise<void> {
  await connectedAs(
    "cli",
    place,
    (cli) => cli.query("select operator.note_executor($1, $2, $3)", [action, name, days]),
    attribution,
  );
}

function roleName(text: string): string {
  if (!/^[a-z0-9_]{1,40}$/.test(text))
    throw new InvalidArgumentError("It must be a to z, digits and _, 1 to 40 characters.");
  return text;
}
