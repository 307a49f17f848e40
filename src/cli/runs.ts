/** `botstead run show | cancel`. */
import { Command } from "commander";
import { type Attribution, attributed } from "./attribution.ts";
import { asOperator, type Read, reading } from "./database.ts";
import { explain, type Format, print, printable, printChange, type Row, uuid } from "./output.ts";

export function runCommand(): Command {
  const command = new Command("run").description("show a run, or cancel it");
  const show = command.command("show", { isDefault: true });
  printable(show.description("show what happened to a run; the default").argument("<id>")).action(
    async (id: string, format: Format) => {
      const run = uuid(id);
      await reading(async (rows, at) => {
        const story = await storyOf(rows, run);
        print(
          {
            at,
            sections: {
              run: { title: "Run", rows: story.run },
              steps: { title: "Steps", rows: story.steps },
              approvals: { title: "Approvals", rows: story.approvals },
              events: { title: "Events", rows: await eventsOf(rows, story.run[0] as Row) },
              changes: { title: "Changes", rows: await changesOf(rows, story.run[0] as Row) },
            },
            unknown: ["Messages and answers: operators do not read them. The log of worker and executor has errors."],
          },
          format,
        );
      });
    },
  );
  attributed(printable(command.command("cancel").description("cancel a run").argument("<id>"))).action(
    async (id: string, { json, ...attribution }: Attribution & Format) => {
      const run = uuid(id);
      const [row] = await asOperator<{ state: string }>(
        `select operator.cancel_run(run.organisation_id, run.id, $2) ->> 'state' as state
         from operator.runs run where run.id = $1`,
        [run, attribution.reason],
        attribution,
      ).catch(explain({ not_found: "No run has that id." }));
      if (!row) throw new Error("No run has that id.");
      printChange(`The run is ${row.state}.`, { id: run, state: row.state }, { json });
    },
  );
  return command;
}

async function storyOf(rows: Read, id: string): Promise<{ run: Row[]; steps: Row[]; approvals: Row[] }> {
  const run = await rows(
    `select run.id, run.organisation_id, organisation.name as organisation, run.state, run.error, run.trigger, bot.name as bot,
       bot.model, person.email as person, run.created_at, run.working_since, run.lease_until, run.paused_until,
       run.finished_at, run.executors_lost, run.taint
     from operator.runs run
     join operator.organisations organisation on organisation.id = run.organisation_id
     left join operator.bots bot on bot.organisation_id = run.organisation_id and bot.id = run.bot_id
     left join operator.people person on person.id = run.person_id
     where run.id = $1`,
    [id],
  );
  const [found] = run;
  if (!found) throw new Error("No run has that id.");
  const of = [found.organisation_id, id];
  return {
    run,
    steps: await rows(
      `select number, kind, created_at, input_tokens, output_tokens from operator.steps
       where organisation_id = $1 and run_id = $2 order by number limit 200`,
      of,
    ),
    approvals: await rows(
      `select id, kind, state, created_at, expires_at, answered_at from operator.approvals
       where organisation_id = $1 and run_id = $2 order by id limit 50`,
      of,
    ),
  };
}

/** Events have the id of their run in JSON, without an index: those since the run began, of its organisation. */
export function eventsOf(rows: Read, run: Row): Promise<Row[]> {
  return rows(
    `select event.id as event_id, event.kind, event.created_at, delivery.id as delivery_id, delivery.state, delivery.attempts,
       delivery.last_status_code, delivery.last_failure, delivery.next_attempt_at, delivery.delivered_at
     from (
       select * from operator.events since
       where since.organisation_id = $1 and since.id >= $3 order by since.id limit 10000
     ) event
     left join operator.deliveries delivery
       on delivery.organisation_id = event.organisation_id and delivery.event_id = event.id
     where event.run_id = $2 order by event.id, delivery.id limit 100`,
    [run.organisation_id, run.id, firstId(run.created_at as Date)],
  );
}

/** The least UUIDv7 of a time. */
function firstId(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The audit log entries of one row. */
export function changesOf(rows: Read, { organisation_id, id }: Row): Promise<Row[]> {
  return rows(
    `select created_at, actor, coalesce(operator, key_id::text) as by, action, resource, changed, reason, request_id
     from operator.audit_entries where organisation_id = $1 and resource_id = $2 order by id limit 100`,
    [organisation_id, id],
  );
}
