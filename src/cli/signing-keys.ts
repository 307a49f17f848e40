/** The commands for the keys that sign deliveries (docs/deliveries.md#keys-that-sign-deliveries). */
import { Command, InvalidArgumentError } from "commander";
import { type Attribution, attributedAll } from "./attribution.ts";
import { asOperator } from "./database.ts";
import { type Format, printable, printChange, printList } from "./output.ts";

export function signingKeyCommand(): Command {
  const command = new Command("signing-key").description(
    "the keys that sign deliveries, beside the endpoints' secrets",
  );
  printable(command.command("rotate"))
    .description("replace the current key; both sign during the overlap")
    .option("--overlap-hours <hours>", "0 to 720; 0 withdraws all present keys at once", hours, 24)
    .action(async ({ overlapHours, reason, ...options }: Attribution & Format & { overlapHours: number }) => {
      const [row] = await asOperator<{ until: Date | null }>(
        "select operator.rotate_signing_key($1, $2) as until",
        [overlapHours, reason],
        { reason, ...options },
      );
      if (!row?.until) throw new Error("There is no signing key yet: a worker creates it when it starts.");
      const until = row.until.toISOString();
      printChange(`The former key signs until ${until}.`, { formerSignsUntil: until }, options);
    });
  printable(command.command("list"))
    .description("list the published keys: public key, state, since when")
    .action(async (format: Format) => {
      const rows = await asOperator<SigningKey>("select * from operator.signing_keys order by id desc", []);
      printList(rows, columns, format);
    });
  return attributedAll(command, "rotate");
}

type SigningKey = { public_key: string; created_at: Date; signs_until: Date | null; published_until: Date | null };

function columns({ public_key, created_at, signs_until, published_until }: SigningKey): string[] {
  const state = signs_until
    ? `signs until ${signs_until.toISOString()}, published until ${published_until?.toISOString()}`
    : "current";
  return [`whpk_${public_key}`, state, `since ${created_at.toISOString()}`];
}

function hours(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 720) throw new InvalidArgumentError("It must be 0 to 720.");
  return Number(text);
}
