/** `botstead status`: the service at a glance (docs/commands.md#on-call). */
import { Command } from "commander";
import { version } from "../version.ts";
import { checking, explainExitCodes } from "./checking.ts";
import { reading } from "./database.ts";
import { type Format, print, printable } from "./output.ts";

export function statusCommand(): Command {
  const command = new Command("status").description("show processes and current issues");
  return explainExitCodes(printable(command), "no issue is critical").action((format: Format) =>
    checking(() =>
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
        return issues.every(({ severity }) => severity !== "critical");
      }),
    ),
  );
}
