/**
 * The walls of the database, examined by the database itself (sql/audit) and printed for people or for programs. It logs
 * in as auditor, writes nothing and starts nothing. Exit codes: 0 when all walls stand, 1 when there are findings, 2 not
 * understood, 3 when it could not be told.
 */
import { Command } from "commander";
import type { Client } from "pg";
import { type Audit, auditReport } from "./audit-report.ts";
import { connectedAs, runningDatabase } from "./database.ts";

type Options = { json?: true; findings?: true; person?: string };

export function auditCommand(): Command {
  return new Command("audit")
    .description("examine the walls of the database: exit code 0 when all stand, 1 if not")
    .option("--json", "for programs")
    .option("--findings", "what is wrong, and nothing else")
    .option("--person <id or e-mail>", "and what this person reads and writes, in counts")
    .addHelpText(
      "after",
      "\nExit codes: 0 all walls stand, 1 there are findings, 2 not understood,\n3 it could not be told (a sentence says why).",
    )
    .action(async (options: Options) => {
      try {
        const audit = await connectedAs("auditor", await runningDatabase(), (auditor) => examine(auditor, options));
        process.stdout.write(options.json ? `${JSON.stringify(audit, null, 2)}\n` : auditReport(audit));
        process.exitCode = audit.findings.length > 0 ? 1 : 0;
      } catch (error) {
        process.exitCode = 3;
        throw error;
      }
    });
}

/** All of it at one instant. */
async function examine(auditor: Client, { findings: alone, person }: Options): Promise<Audit> {
  await auditor.query("begin transaction isolation level repeatable read read only");
  const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await auditor.query<Row>(text, values)).rows;
  const [where] = await rows<Pick<Audit, "database" | "at">>("select current_database() as database, now() as at");
  if (!where) throw new Error("The database answers nothing.");
  const audit: Audit = { ...where, findings: await rows("select * from audit.findings") };
  if (!alone) {
    audit.exceptions = await rows("select * from audit.exceptions order by rule, object");
    audit.roles = await rows("select name, purpose, logs_in, settings from audit.roles order by name");
    audit.policies = await rows("select * from audit.policies order by table_name, role, command, policy");
    audit.definer_functions = await rows("select * from audit.definer_functions order by function");
    audit.grants = await rows("select * from audit.grants order by role, through, kind, privilege, object");
  }
  if (person !== undefined) {
    const [found] = await rows<{ id: string | null }>(
      "select case when $1 ~* '^[0-9a-f-]{36}$' then $1::uuid else audit.person($1) end as id",
      [person],
    );
    if (!found?.id) throw new Error("Nobody has that e-mail address.");
    audit.exposure = await rows("select * from audit.exposure(person => $1)", [found.id]);
    if (audit.exposure.length === 0) throw new Error("Such a person is in no organisation and has no key.");
  }
  return audit;
}
