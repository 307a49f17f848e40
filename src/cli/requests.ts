/** `botstead request <id>`: what one request changed. */
import { Command } from "commander";
import { reading } from "./database.ts";
import { type Format, print, printable, type Row, uuid } from "./output.ts";
import { eventsOf } from "./runs.ts";

export function requestCommand(): Command {
  return printable(
    new Command("request")
      .description("show what a request changed, by the id of its response (X-Request-Id)")
      .argument("<id>"),
  ).action((id: string, format: Format) => show(uuid(id), format));
}

async function show(id: string, format: Format): Promise<void> {
  await reading(async (rows, at) => {
    const responses = await rows("select * from operator.stored_responses($1)", [id]);
    const changes = await rows(
      `select entry.created_at, organisation.name as organisation, entry.organisation_id, entry.actor,
         coalesce(entry.operator, key.prefix, entry.key_id::text) as by, entry.action, entry.resource, entry.resource_id,
         entry.changed, entry.reason
       from operator.audit_entries entry
       join operator.organisations organisation on organisation.id = entry.organisation_id
       left join operator.api_keys key on key.organisation_id = entry.organisation_id and key.id = entry.key_id
       where entry.request_id = $1 order by entry.id limit 100`,
      [id],
    );
    const runs = await rows(
      `select id, organisation_id, state, error, created_at, finished_at from operator.runs
       where (organisation_id, id) in (
         select entry.organisation_id, entry.resource_id from operator.audit_entries entry
         where entry.request_id = $1 and entry.resource = 'run'
       )`,
      [id],
    );
    const events: Row[] = [];
    for (const run of runs) events.push(...(await eventsOf(rows, run)));
    print(
      {
        at,
        sections: {
          responses: { title: "Stored response", rows: responses },
          changes: { title: "Changes", rows: changes },
          runs: { title: "Runs", rows: runs },
          events: { title: "Events and deliveries", rows: events },
        },
        unknown: unknown(responses.length > 0, changes.length > 0),
      },
      format,
    );
  });
}

const inLog = "the log of the API has every request, with this id as requestId";

function unknown(hasResponse: boolean, hasChanges: boolean): string[] {
  if (!hasResponse && !hasChanges) {
    return [
      `Whether this request arrived: ${inLog}.`,
      "The database has no trace of a GET, of a request without an accepted credential, or of a request that changed nothing.",
    ];
  }
  return [
    ...(hasResponse ? [] : [`Its response: only POSTs have one, for 24 hours; ${inLog}.`]),
    `Its duration and the address of its caller: ${inLog}.`,
  ];
}
