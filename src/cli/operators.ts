/** The commands for operator tokens, which open the operators' console (docs/console.md). */
import { Command, Option } from "commander";
import { makeCredential } from "../secrets/credentials.ts";
import { type Attribution, attributedAll } from "./attribution.ts";
import { day, expiry, type Named } from "./credentials.ts";
import { asOperator } from "./database.ts";
import { type Format, printable, printChange, printList } from "./output.ts";
import { name } from "./texts.ts";

export function operatorCommand(): Command {
  const command = new Command("operator").description("tokens that open the operators' console");
  printable(command.command("mint"))
    .description("create a token and print it once")
    .requiredOption("--name <name>", "its owner, 1 to 60 characters; the operator log names it", name)
    .addOption(new Option("--scope <scope>", "view only, or act too").choices(["view", "act"]).default("view"))
    .addOption(expiry())
    .action(async ({ name, scope, expiresDays, json, ...attribution }: Named & Format & { scope: string }) => {
      const { text, digest } = makeCredential("bso");
      await asOperator("select operator.mint_token($1, $2, $3, $4)", [name, scope, expiresDays, digest], attribution);
      printChange(text, { name, scope, token: text }, { json });
    });
  printable(command.command("list"))
    .description("list tokens: id, scope, expiry or revocation, last use, name")
    .action(async (format: Format) =>
      printList(await asOperator<Row>("select * from operator.tokens order by id desc", []), columns, format),
    );
  printable(command.command("revoke"))
    .description("revoke a token by id, or all tokens of a name; their sessions end at once")
    .argument("<token>")
    .action(async (wanted: string, { json, ...attribution }: Attribution & Format) => {
      const [row] = await asOperator<{ revoked: boolean }>(
        "select operator.revoke_token($1) as revoked",
        [wanted],
        attribution,
      );
      if (!row?.revoked) throw new Error("No operator token has that id or name.");
      printChange(`The token ${wanted} is revoked.`, { token: wanted, state: "revoked" }, { json });
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

function columns({ id, name, scope, expires_at, last_used_at, revoked_at }: Row): string[] {
  const state = revoked_at ? `revoked ${day(revoked_at)}` : `until ${day(expires_at)}`;
  const used = last_used_at ? `used ${day(last_used_at)}` : "never used";
  return [id, scope, state, used, name];
}
