/**
 * The command by which the master key is changed, while nothing else of Botstead runs. (docs/operating.md, "A new master
 * key".)
 */
import { Command } from "commander";
import { Client } from "pg";
import { type Config, readConfig } from "../config.ts";
import { type Database, openDatabase } from "../database/access.ts";
import { changeMasterKey, type Keys } from "../database/reseal.ts";
import { keysForRotation } from "../secrets/rotation.ts";

const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);

export function masterKeyCommand(): Command {
  const command = new Command("master-key").description("the key that secrets are sealed under");
  command
    .command("rotate")
    .description("seal everything under a new key, while nothing else runs; may be run again when it was cut short")
    .action(async () => {
      const config = readConfig();
      const keys = keysForRotation(config);
      const database = await openWithEither(config, keys);
      try {
        const admin = new Client({ connectionString: database.adminUrl, connectionTimeoutMillis: 10_000 });
        await admin.connect();
        try {
          const resealed = await changeMasterKey(admin, keys, database.embedded ? "postgres" : undefined);
          say(`${resealed} secrets were sealed under the new key, and the passwords of the roles were changed.`);
        } finally {
          await admin.end();
        }
        say(keys.settle());
      } finally {
        await database.stop();
      }
    });
  return command;
}

/** A rotation that was cut short may have left the embedded server with the new password already. */
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
