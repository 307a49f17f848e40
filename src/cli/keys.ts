/** `botstead key list | revoke`. */
import type { Command } from "commander";
import { type Attribution, attributed } from "./attribution.ts";
import { asOperator, reading } from "./database.ts";
import { explain, type Format, print, printable, printChange } from "./output.ts";

const isKey = "(key.id::text = lower($1) or key.prefix = $1)";

export function addKeyCommands(key: Command): void {
  printable(
    key
      .command("list")
      .description("list the keys of an organisation, and who minted each")
      .requiredOption("--organisation <id or name>", "the organisation"),
  ).action(({ organisation, ...format }: Format & { organisation: string }) => list(organisation, format));
  const revocation = key.command("revoke").description("revoke a key, by its id or its prefix, at once and for ever");
  attributed(printable(revocation.argument("<key>"))).action(revoke);
}

async function list(organisation: string, format: Format): Promise<void> {
  await reading(async (rows, at) => {
    const found = await rows(
      "select id, name from operator.organisations where id::text = lower($1) or name = $1 order by id limit 2",
      [organisation],
    );
    if (found.length === 0) throw new Error("No organisation has that id or name.");
    if (found.length > 1) throw new Error("Several organisations have that name: give the id.");
    const keys = await rows(
      `select key.id, key.prefix, key.name, key.scope, person.email as person, key.created_at, minted.operator as minted_by,
         key.expires_at, key.revoked_at, key.last_used_at
       from operator.api_keys key
       left join operator.people person on person.id = key.created_by
       left join operator.actions minted
         on minted.organisation_id = key.organisation_id and minted.subject_id = key.id and minted.action = 'mint_key'
       where key.organisation_id = $1 order by key.id desc limit 200`,
      [found[0]?.id],
    );
    print(
      {
        at,
        sections: { keys: { title: `Keys of ${found[0]?.name}`, rows: keys } },
        unknown: ["Who minted a key without minted by: its person, by the API. The audit log has the request."],
      },
      format,
    );
  });
}

async function revoke(wanted: string, { json, ...attribution }: Attribution & Format): Promise<void> {
  const keys = await asOperator<{ id: string; organisation_id: string }>(
    `select key.id, key.organisation_id from operator.api_keys key where ${isKey} limit 2`,
    [wanted],
  );
  if (keys.length > 1) throw new Error("Several keys have that prefix: give the id.");
  const [key] = keys;
  if (!key) throw new Error("No key has that id or prefix.");
  await asOperator(
    "select operator.revoke_key($1, $2, $3)",
    [key.organisation_id, key.id, attribution.reason],
    attribution,
  ).catch(explain({ not_found: "No key has that id or prefix." }));
  printChange(`The key ${key.id} is revoked.`, { id: key.id, state: "revoked" }, { json });
}
