/**
 * The commands that mint credentials. Standard output has only the credential, once, so that a script can read it
 * (docs/specification/service.md#command-line).
 */
import { Command, InvalidArgumentError, Option } from "commander";
import { readConfig } from "../config.ts";
import { makeCredential } from "../secrets/credentials.ts";
import { type Attribution, attributedAll } from "./attribution.ts";
import { inAllCells } from "./cells.ts";
import { asOperator } from "./database.ts";
import { addKeyCommands } from "./keys.ts";
import { explain, type Format, printable, printChange, printList } from "./output.ts";
import { name } from "./texts.ts";

export type Named = Attribution & { name: string; expiresDays: number };

export function credentialCommands(): Command[] {
  return [platformKey(), key()];
}

function platformKey(): Command {
  const command = new Command("platform-key").description("keys that may only create organisations");
  printable(command.command("mint"))
    .description("create a platform key and print it once")
    .requiredOption("--name <name>", "its purpose, 1 to 60 characters", name)
    .addOption(expiry())
    .action(async (options: Named & Format) => {
      const { text, prefix, digest } = makeCredential("bsp");
      await inAllCells(
        "select operator.mint_platform_key($1, $2, $3, $4)",
        [options.name, options.expiresDays, prefix, digest],
        options,
      );
      printChange(text, { prefix, name: options.name, key: text }, options);
    });
  printable(command.command("list"))
    .description("list platform keys: id, prefix, expiry or revocation, name")
    .action(async (format: Format) =>
      printList(
        await asOperator<PlatformKey>("select * from operator.platform_keys order by id desc", []),
        columns,
        format,
      ),
    );
  printable(command.command("revoke"))
    .description("revoke a platform key, by its id or its prefix")
    .argument("<key>")
    .action(async (wanted: string, { json, ...attribution }: Attribution & Format) => {
      if (readConfig().directory && !wanted.startsWith("bsp_")) {
        throw new Error("Give the prefix of the key: its id is another one in each cell.");
      }
      const rows = await inAllCells<{ revoked: boolean }>(
        "select operator.revoke_platform_key($1) as revoked",
        [wanted],
        attribution,
      );
      if (!rows.some(({ revoked }) => revoked)) throw new Error("No platform key has that id or prefix.");
      printChange(`The platform key ${wanted} is revoked.`, { key: wanted, state: "revoked" }, { json });
    });
  return attributedAll(command, "mint", "revoke");
}

type PlatformKey = { id: string; prefix: string; name: string; expires_at: Date; revoked_at: Date | null };

function columns({ id, prefix, name, expires_at, revoked_at }: PlatformKey): string[] {
  return [id, prefix, revoked_at ? `revoked ${day(revoked_at)}` : `until ${day(expires_at)}`, name];
}

function key(): Command {
  const command = new Command("key").description("keys of an organisation");
  printable(command.command("mint"))
    .description("create a key for an owner or admin of an organisation and print it once")
    .requiredOption("--organisation <id or name>", "the organisation")
    .requiredOption("--person <id or e-mail>", "the owner or admin whose key it is")
    .requiredOption("--name <name>", "its purpose, 1 to 60 characters", name)
    .addOption(new Option("--scope <scope>", "what it may do").choices(["read", "write", "admin"]).default("read"))
    .addOption(expiry())
    .action(async (options: Named & Format & { organisation: string; person: string; scope: string }) => {
      const { text, prefix, digest } = makeCredential("bsk");
      const { organisation, person, scope, expiresDays } = options;
      await asOperator(
        "select operator.mint_key($1, $2, $3, $4, $5, $6, $7)",
        [organisation, person, options.name, scope, expiresDays, prefix, digest],
        options,
      ).catch(describeRefusal);
      printChange(text, { prefix, name: options.name, scope, key: text }, options);
    });
  attributedAll(command, "mint");
  addKeyCommands(command);
  return command;
}

const describeRefusal = explain({
  not_found: "No organisation with that id or name has this person as owner or admin.",
  conflict: "Several organisations have that name: give the id.",
  quota_exceeded: "The organisation has reached its limit of live keys: revoke one first.",
});

export function expiry(): Option {
  return new Option("--expires-days <1..365>", "its lifetime in days").default(90).argParser((text) => {
    const days = Number(text);
    if (!/^\d{1,3}$/.test(text) || days < 1 || days > 365) throw new InvalidArgumentError("It must be 1 to 365.");
    return days;
  });
}

export function day(at: string | Date | null | undefined): string {
  return at instanceof Date ? at.toISOString().slice(0, 10) : String(at);
}
