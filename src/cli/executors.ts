/**
 * The commands for executors that are not ours: each gets a login of its own to the database. (docs/executors.md.)
 */
import { Command, InvalidArgumentError } from "commander";
import { Client } from "pg";
import { listExecutorLogins, makeExecutorLogin, revokeExecutorLogin } from "../database/executor-logins.ts";
import { expiry } from "./credentials.ts";
import { withDatabase } from "./database.ts";

export function executorCommand(): Command {
  const command = new Command("executor").description(
    "logins for executors of your own, to be run beside the built-in one",
  );
  command
    .command("mint")
    .description("make a login and print its address, with the password in it, once")
    .requiredOption("--name <name>", "what it is for: a to z, digits and _, 1 to 40 characters", roleName)
    .addOption(expiry())
    .action(async ({ name, expiresDays }: { name: string; expiresDays: number }) => {
      await asAdministrator(async (admin, adminUrl) => {
        const { role, password } = await makeExecutorLogin(admin, name, expiresDays);
        const url = new URL(adminUrl);
        url.username = role;
        url.password = password;
        process.stdout.write(`${url.href}\n`);
      });
    });
  command
    .command("list")
    .description("list logins: name, expiry, connections")
    .action(() =>
      asAdministrator(async (admin) => {
        for (const { name, expires, connected } of await listExecutorLogins(admin)) {
          const connections = connected === 1 ? "1 connection" : `${connected} connections`;
          process.stdout.write(`${[name, `until ${expires.toISOString().slice(0, 10)}`, connections].join("\t")}\n`);
        }
      }),
    );
  command
    .command("revoke")
    .description("take a login back, at once")
    .argument("<name>")
    .action((name: string) =>
      asAdministrator(async (admin) => {
        if (!(await revokeExecutorLogin(admin, name))) throw new Error("No login of an executor has that name.");
      }),
    );
  return command;
}

/** Roles are the administrator's to make: this asks for DATABASE_URL with such a login, as `migrate` does. */
async function asAdministrator(use: (admin: Client, adminUrl: string) => Promise<void>): Promise<void> {
  await withDatabase(async ({ adminUrl }) => {
    const admin = new Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
    await admin.connect();
    try {
      await use(admin, adminUrl);
    } finally {
      await admin.end();
    }
  });
}

function roleName(text: string): string {
  if (!/^[a-z0-9_]{1,40}$/.test(text))
    throw new InvalidArgumentError("It must be a to z, digits and _, 1 to 40 characters.");
  return text;
}
