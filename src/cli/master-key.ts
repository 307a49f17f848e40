/** The command that changes the master key while all processes are stopped (docs/operating.md#a-new-master-key). */
import { Command } from "commander";
import { type Config, readConfig } from "../config.ts";
import { type Database, openDatabase, requireDatabase } from "../database/access.ts";
import { withSession } from "../database/connections/session.ts";
import { changeMasterKey, type Keys } from "../database/reseal.ts";
import { keysForRotation } from "../secrets/rotation.ts";
import { printError } from "../terminal.ts";
import { commandLineUser } from "./database.ts";

const say = (sentence: string) => void printError(`${sentence}\n`);

export function masterKeyCommand(): Command {
  const command = new Command("master-key").description("the key that secrets are sealed under");
  command
    .command("rotate")
    .description("seal all secrets under a new key; stop all processes first; run again after an interruption")
    .action(async () => {
      const config = readConfig();
      requireDatabase(config);
      const keys = keysForRotation(config);
      const database = await openWithEither(config, keys);
      try {
        const resealed = await withSession(database.adminUrl, commandLineUser(), (admin) =>
          changeMasterKey(admin, keys, database.embedded ? "postgres" : undefined),
        );
        say(`${resealed} secrets are sealed under the new key, and the passwords of the roles are changed.`);
        say(keys.settle());
      } finally {
        await database.stop();
      }
    });
  return command;
}

/** An interrupted rotation may have left the embedded server with the new password. */
async function openWithEither(config: Config, { from, to }: Keys): Promise<Database> {
  try {
    return await openDatabase(config, from, say);
  } catch (error) {
    if (!isWrongPassword(error)) throw error;
    return openDatabase(config, to, say);
  }
}

function isWrongPassword(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ((at as { code?: string }).code === "28P01") return true;
  }
  return false;
}
