/** The commands for operator tokens, which open the operators' console (docs/console.md). */
import { Command, Option } from "commander";
import { makeCredential } from "../secrets/credentials.ts";
import { type Attribution, attributedAll } from "./attribution.ts";
import { day, expiry, type Named, name } from "./credentials.ts";
import { asOperator } from "./database.ts";

export function operatorCommand(): Command {
  const command = new Command("operator").description("tokens that open the operators' console");
  command
    .command("mint")
    .description("create a token and print it once")
    .requiredOption("--name <name>", "its owner, 1 to 60 characters; the operator log names it", name)
    .addOption(new Option("--scope <scope>", "view only, or act too").choices(["view", "act"]).default("view"))
    .addOption(expiry())
    .action(async ({ name, scope, expiresDays, ...attribution }: Named & { scope: string }) => {
      const { text, digest } = makeCredential("bso");
      await asOperator("select operator.mint_token($1, $2, $3, $4)", [name, scope, expiresDays, digest], attribution);
      process.stdout.write(`${text}\n`);
    });
  command
    .command("list")
    .description("list tokens: id, scope, expiry or revocation, last use, name")
    .action(async () => {
      const rows = await asOperator<Row>("select * from operator.tokens order by id desc", []);
      for (const row of rows) process.stdout.write(`${line(row)}\n`);
    });
  command
    .command("revoke")
    .description("revoke a token by id, or all tokens of a name; their sessions end at once")
    .argument("<token>")
    .action(async (wanted: string, attribution: Attribution) => {
      const [row] = await asOperator<{ revoked: boolean }>(
        "select operator.revoke_token($1) as revoked",
        [wanted],
        attribution,
      );
      if (!row?.revoked) throw new Error("No operator token has that id or name.");
    });
  return attributedAll(command, "mint", "revoke");
}

type Row = {
  id: string;
  name: string;
  scope: string;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
};

function line({ id, name, scope, expires_at, last_used_at, revoked_at }: Row): string {
  const state = revoked_at ? `revoked ${day(revoked_at)}` : `until ${day(expires_at)}`;
  const used = last_used_at ? `used ${day(last_used_at)}` : "never used";
  return [id, scope, state, used, name].join("\t");
}
