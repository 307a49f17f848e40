/** `botstead audit accept | list | revoke`: findings that a named person accepts, each in the exact state that was found. */
import { Command } from "commander";
import { type Attribution, attributed } from "./attribution.ts";
import { asAuditor } from "./audit-session.ts";
import { day } from "./credentials.ts";
import { asOperator } from "./database.ts";

type Accepted = { finding: string; object: string; accepted_by: string; accepted_at: Date; reason: string };

export function acceptanceCommands(): Command[] {
  return [
    attributed(
      new Command("accept")
        .description("accept a finding, by the id that the audit prints: it is listed as accepted from now on")
        .argument("<finding>"),
    ).action(async (finding: string, { by, reason }: Attribution) => {
      const [found] = await rows<{ rule: string; object: string; what: string }>(
        "select rule, object, what from audit.findings where finding = $1",
        [finding],
      );
      if (!found) throw new Error("The audit has no finding with that id.");
      await asOperator(
        "select operator.accept_finding($1, $2, $3, $4, $5, $6)",
        [finding, found.rule, found.object, found.what, by, reason],
        { by, reason },
      );
    }),
    new Command("list")
      .description("list accepted findings: id, object, by whom, since when, reason")
      .option("--json", "as JSON")
      .action(async ({ json }: { json?: true }, command: Command) => {
        const accepted = await rows<Accepted>("select * from audit.accepted order by accepted_at", []);
        if (json ?? command.parent?.opts().json) {
          process.stdout.write(`${JSON.stringify(accepted, null, 2)}\n`); // audit has this option too
          return;
        }
        for (const row of accepted) {
          const since = `${row.accepted_by}, ${day(row.accepted_at)}`;
          process.stdout.write(`${[row.finding, row.object, since, row.reason].join("\t")}\n`);
        }
      }),
    attributed(new Command("revoke").description("no longer accept a finding").argument("<finding>")).action(
      async (finding: string, attribution: Attribution) => {
        const [row] = await asOperator<{ revoked: boolean }>(
          "select operator.revoke_finding($1) as revoked",
          [finding],
          attribution,
        );
        if (!row?.revoked) throw new Error("No finding of that id is accepted.");
      },
    ),
  ];
}

const rows = <Row extends object>(text: string, values: unknown[]): Promise<Row[]> =>
  asAuditor(async (auditor) => (await auditor.query<Row>(text, values)).rows);
