/**
 * The audit of the database's security (sql/audit), for people or programs. It logs in as auditor and changes
 * nothing. Before it believes the audit, it compares the audit's definitions with its own files, as owner. For the audit log it reports the result of the checkpoint job. Accepting a finding is a command of an operator.
 */
import { Command } from "commander";
import type { Client } from "pg";
import { print, safeJson } from "../terminal.ts";
import { acceptanceCommands } from "./audit-acceptance.ts";
import { findingOfAudit, uncompared } from "./audit-changes.ts";
import { auditLogCommands } from "./audit-log.ts";
import { readLogState } from "./audit-log-state.ts";
import { proveCommand } from "./audit-prove.ts";
import { auditReport } from "./audit-report.ts";
import type { Audit } from "./audit-rows.ts";
import { asAuditor, changedAudit } from "./audit-session.ts";
import { checking, explainExitCodes } from "./checking.ts";

type Options = { json?: true; findings?: true; full?: true; person?: string };

export function auditCommand(): Command {
  const command = new Command("audit")
    .description("check the security invariants of the database")
    .option("--json", "the full report as JSON")
    .option("--full", "the full report: everything examined, besides the summary and the findings")
    .option("--findings", "only the findings and open faults of the audit log")
    .option("--person <id or e-mail>", "also what this person reads and writes, as counts")
    .action((options: Options) =>
      checking(async () => {
        const changed = await changedAudit();
        const audit = await asAuditor((auditor) => examine(auditor, options));
        audit.findings.unshift(...(changed ?? []).map(findingOfAudit));
        if (changed === undefined) audit.unseen?.push(uncompared);
        print(options.json ? `${safeJson(audit, 2)}\n` : auditReport(audit, options.full === true));
        return audit.findings.length === 0 && audit.log.faults.length === 0;
      }),
    );
  explainExitCodes(command, "no finding and no open fault of the audit log");
  for (const subcommand of acceptanceCommands()) command.addCommand(subcommand);
  for (const each of auditLogCommands()) command.addCommand(each);
  command.addCommand(proveCommand());
  return command;
}

/** Everything in one snapshot. */
async function examine(auditor: Client, { findings: alone, person }: Options): Promise<Audit> {
  await auditor.query("begin transaction isolation level repeatable read read only");
  const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await auditor.query<Row>(text, values)).rows;
  const [where] = await rows<Pick<Audit, "database" | "at">>("select current_database() as database, now() as at");
  if (!where) throw new Error("The database returned no row.");
  const audit: Audit = {
    ...where,
    findings: await rows("select * from audit.findings"),
    log: await readLogState(auditor),
  };
  if (!alone) {
    audit.accepted = await rows("select * from audit.accepted order by accepted_at");
    audit.unseen = await rows("select * from audit.unseen");
    audit.elsewhere = await rows("select * from audit.elsewhere order by kind, name");
    audit.exceptions = await rows("select * from audit.exceptions order by rule, object");
    audit.roles = await rows("select name, purpose, logs_in, settings from audit.roles order by name");
    audit.policies = await rows("select * from audit.policies order by table_name, role, command, policy");
    audit.definer_functions = await rows("select * from audit.definer_functions order by function");
    audit.grants = await rows("select * from audit.grants order by role, through, kind, privilege, object");
  }
  if (person !== undefined) {
    audit.exposure = await rows(
      `select exposure.* from audit.exposure(
         person => case when $1 ~* '^[0-9a-f-]{36}$' then $1::uuid else audit.person($1) end
       ) exposure`,
      [person],
    );
    if (audit.exposure.length === 0) throw new Error("This person is in no organisation and has no key.");
  }
  return audit;
}
