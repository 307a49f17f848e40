/** `botstead queue`: what waits, since when, and what failed. */
import { Command } from "commander";
import { reading } from "./database.ts";
import { type Format, print, printable } from "./output.ts";

export function queueCommand(): Command {
  return printable(new Command("queue").description("show what waits, since when, and what failed")).action(
    (format: Format) =>
      reading(async (rows, at) =>
        print(
          {
            at,
            sections: {
              jobs: {
                title: "Jobs",
                rows: await rows(
                  "select task, waiting, running, retrying, failed, due_since from operator.jobs order by task",
                ),
              },
              runs: {
                title: "Waiting runs, by model",
                rows: await rows(
                  "select model, waiting, waiting_since, executors from operator.run_queues order by waiting_since",
                ),
              },
              deliveries: {
                title: "Due deliveries, by endpoint",
                rows: await rows(
                  `select organisation.name as organisation, endpoint.host, queue.endpoint_id, endpoint.state, queue.due_at
                   from operator.delivery_queues queue
                   join operator.organisations organisation on organisation.id = queue.organisation_id
                   join operator.webhook_endpoints endpoint
                     on endpoint.organisation_id = queue.organisation_id and endpoint.id = queue.endpoint_id
                   where queue.overdue order by queue.due_at limit 20`,
                ),
              },
              mails: {
                title: "Unsent mails, oldest first",
                rows: await rows(
                  "select id, kind, created_at, attempts, next_attempt_at from operator.waiting_mails order by id limit 20",
                ),
              },
            },
            unknown: ["Why a job failed: the log of the worker has the error, as job failed."],
          },
          format,
        ),
      ),
  );
}
