/**
 * The commands that mint credentials. The credential alone goes to standard output, once, so that a script can take it
 * from there. (Part 5.3; decisions: section 6.)
 */
import { Command, InvalidArgumentError, Option } from "commander";
import { DatabaseError } from "pg";
import { makeCredential } from "../secrets/credentials.ts";
import { asOperator } from "./database.ts";

export type Named = { name: string; expiresDays: number };

export function credentialCommands(): Command[] {
  return [platformKey(), key()];
}

function platformKey(): Command {
  const command = new Command("platform-key").description("keys that make organisations and do nothing else");
  command
    .command("mint")
    .description("make a platform key and print it, once")
    .requiredOption("--name <name>", "what it is for, 1 to 60 characters", name)
    .addOption(expiry())
    .action(async (options: Named) => {
      const { text, prefix, digest } = makeCredential("bsp");
      await asOperator("select operator.mint_platform_key($1, $2, $3, $4)", [
        options.name,
        options.expiresDays,
        prefix,
        digest,
      ]);
      process.stdout.write(`${text}\n`);
    });
  command
    .command("list")
    .description("list platform keys: id, prefix, name, expiry, revocation")
    .action(async () => {
      const rows = await asOperator<Record<string, string | Date | null>>(
        "select id, prefix, name, expires_at, revoked_at from operator.platform_keys order by id desc",
        [],
      );
      for (const { id, prefix, name, expires_at, revoked_at } of rows) {
        const state = revoked_at ? `revoked ${day(revoked_at)}` : `until ${day(expires_at)}`;
        process.stdout.write(`${[id, prefix, state, name].join("\t")}\n`);
      }
    });
  command
    .command("revoke")
    .description("revoke a platform key, by its id or its prefix")
    .argument("<key>")
    .action(async (wanted: string) => {
      const [row] = await asOperator<{ revoked: boolean }>("select operator.revoke_platform_key($1) as revoked", [
        wanted,
      ]);
      if (!row?.revoked) throw new Error("No platform key has that id or prefix.");
    });
  return command;
}

function key(): Command {
  const command = new Command("key").description("keys of an organisation");
  command
    .command("mint")
    .description("make a key for an owner or admin of an organisation and print it, once")
    .requiredOption("--organisation <id or name>", "the organisation")
    .requiredOption("--person <id or e-mail>", "the owner or admin whom the key is bound to")
    .requiredOption("--name <name>", "what it is for, 1 to 60 characters", name)
    .addOption(new Option("--scope <scope>", "what it reaches").choices(["read", "write", "admin"]).default("read"))
    .addOption(expiry())
    .action(async (options: Named & { organisation: string; person: string; scope: string }) => {
      const { text, prefix, digest } = makeCredential("bsk");
      const { organisation, person, scope, expiresDays } = options;
      await asOperator("select operator.mint_key($1, $2, $3, $4, $5, $6, $7)", [
        organisation,
        person,
        options.name,
        scope,
        expiresDays,
        prefix,
        digest,
      ]).catch(inWords);
      process.stdout.write(`${text}\n`);
    });
  return command;
}

/** The refusals of SQL, as this command means them. */
function inWords(error: Error): never {
  const sentences: Record<string, string> = {
    not_found: "No owner or admin of such an organisation is such a person.",
    conflict: "Several organisations have that name: give the id.",
    quota_exceeded: "The organisation has as many live keys as it may: revoke one first.",
  };
  if (error instanceof DatabaseError && error.code === "OA001") {
    throw new Error(sentences[error.message] ?? `Refused: ${error.message}.`);
  }
  throw error;
}

export function expiry(): Option {
  return new Option("--expires-days <1..365>", "its life in days").default(90).argParser((text) => {
    const days = Number(text);
    if (!/^\d{1,3}$/.test(text) || days < 1 || days > 365) throw new InvalidArgumentError("It must be 1 to 365.");
    return days;
  });
}

export function name(text: string): string {
  const length = [...text].length;
  if (length < 1 || length > 60) throw new InvalidArgumentError("It must have 1 to 60 characters.");
  return text;
}

export function day(at: string | Date | null | undefined): string {
  return at instanceof Date ? at.toISOString().slice(0, 10) : String(at);
}
