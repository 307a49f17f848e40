/** `botstead status`: the service at a glance. Exit code 1 while an issue is critical. */
import { Command } from "commander";
import { version } from "../version.ts";
import { reading } from "./database.ts";
import { type Format, print, printable } from "./output.ts";

export function statusCommand(): Command {
  return printable(new Command("status").description("show processes, queues and current issues"))
    .addHelpText(
      "after",
      "\nExit codes: 0 no critical issue, 1 a critical issue (or the command failed), 2 wrong usage.",
    )
    .action((format: Format) =>
      reading(async (rows, at) => {
        const issues = await rows(
          `select severity, category, since, organisation_name as organisation, subject, description, suggested_action
           from operator.issues order by position`,
        );
        const [service = {}] = await rows(
          "select database_version as postgresql, definitions_since, last_maintenance_at from operator.service",
        );
        print(
          {
            at,
            sections: {
              service: { title: "Service", rows: [{ command_line: version, ...service }] },
              workers: {
                title: "Workers",
                rows: await rows("select pid, connected_at, running_jobs from operator.workers order by connected_at"),
                none: "none: nothing is delivered. Start one: botstead worker",
              },
              executors: {
                title: "Executors",
                rows: await rows(
                  "select name, models, started_at, last_seen_at, silent from operator.executors order by last_seen_at desc limit 50",
                ),
                none: "none: no run can start",
              },
              issues: { title: "Issues", rows: issues },
            },
            unknown: ["Processes of the API: ask /readyz of each. They have no row in the database."],
          },
          format,
        );
        if (issues.some(({ severity }) => severity === "critical")) process.exitCode = 1;
      }),
    );
}
