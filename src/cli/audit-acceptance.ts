/** `botstead audit accept | list | revoke`: findings that a named person accepts, each in the exact state that was found. */
import { Command } from "commander";
import { type Attribution, attributed } from "./attribution.ts";
import { asAuditor } from "./audit-session.ts";
import { day } from "./credentials.ts";
import { asOperator } from "./database.ts";
import { type Format, printable, printChange, printList } from "./output.ts";

type Accepted = { finding: string; object: string; accepted_by: string; accepted_at: Date; reason: string | null };

export function acceptanceCommands(): Command[] {
  return [
    attributed(
      printable(new Command("accept"))
        .description("accept a finding, by the id that the audit prints: it is listed as accepted from now on")
        .argument("<finding>"),
    ).action(async (finding: string, { by, reason, json }: Attribution & Format) => {
      const [found] = await rows<{ rule: string; object: string; what: string }>(
        "select rule, object, what from audit.findings where finding = $1",
        [finding],
      );
      if (!found)
        throw new Error("The audit has no finding with that id, or it is accepted already: see botstead audit list.");
      await asOperator(
        "select operator.accept_finding($1, $2, $3, $4, $5, $6)",
        [finding, found.rule, found.object, found.what, by, reason],
        { by, reason },
      );
      printChange(`The finding ${finding} is accepted.`, { finding, state: "accepted" }, { json });
    }),
    printable(new Command("list"))
      .description("list accepted findings: id, object, by whom, since when, reason")
      .action(async (format: Format) =>
        printList(await rows<Accepted>("select * from audit.accepted order by accepted_at", []), columns, format),
      ),
    attributed(printable(new Command("revoke").description("no longer accept a finding").argument("<finding>"))).action(
      async (finding: string, { json, ...attribution }: Attribution & Format) => {
        const [row] = await asOperator<{ revoked: boolean }>(
          "select operator.revoke_finding($1) as revoked",
          [finding],
          attribution,
        );
        if (!row?.revoked) throw new Error("No finding of that id is accepted.");
        printChange(`The finding ${finding} is no longer accepted.`, { finding, state: "revoked" }, { json });
      },
    ),
  ];
}

const columns = ({ finding, object, accepted_by, accepted_at, reason }: Accepted): string[] => [
  ...[finding, object, `${accepted_by}, ${day(accepted_at)}`, reason ?? ""],
];

const rows = <Row extends object>(text: string, values: unknown[]): Promise<Row[]> =>
  asAuditor(async (auditor) => (await auditor.query<Row>(text, values)).rows);
