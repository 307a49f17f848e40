/** `botstead delivery show | redeliver`. */
import { Command } from "commander";
import { type Attribution, attributed } from "./attribution.ts";
import { asOperator, reading } from "./database.ts";
import { explain, type Format, print, printable, printChange, uuid } from "./output.ts";
import { changesOf } from "./runs.ts";

export function deliveryCommand(): Command {
  const command = new Command("delivery").description("show a delivery, or send it again");
  printable(
    command
      .command("show", { isDefault: true })
      .description("show what happened to a delivery; the default")
      .argument("<id>"),
  ).action((id: string, format: Format) => show(uuid(id), format));
  const redeliver = command.command("redeliver").description("begin another round of attempts of a failed delivery");
  attributed(printable(redeliver.argument("<id>"))).action(redeliverOne);
  return command;
}

async function redeliverOne(id: string, { json, ...attribution }: Attribution & Format): Promise<void> {
  const [row] = await asOperator<{ state: string }>(
    `select operator.redeliver(delivery.organisation_id, delivery.id, $2) ->> 'state' as state
     from operator.deliveries delivery where delivery.id = $1`,
    [uuid(id), attribution.reason],
    attribution,
  ).catch(
    explain({
      not_found: "No delivery has that id.",
      conflict: "Only a failed delivery of an active endpoint can be sent again.",
    }),
  );
  if (!row) throw new Error("No delivery has that id.");
  printChange(`The delivery is ${row.state}.`, { id: uuid(id), state: row.state }, { json });
}

async function show(id: string, format: Format): Promise<void> {
  await reading(async (rows, at) => {
    const delivery = await rows(
      `select delivery.id, delivery.organisation_id, organisation.name as organisation, delivery.state, delivery.event,
         delivery.event_id, event.run_id, endpoint.id as endpoint_id, endpoint.host, endpoint.state as endpoint_state,
         endpoint.disabled_reason, delivery.attempts, delivery.max_attempts, delivery.last_status_code,
         delivery.last_failure, delivery.created_at, delivery.last_attempt_at, delivery.next_attempt_at,
         delivery.lease_until, delivery.delivered_at
       from operator.deliveries delivery
       join operator.organisations organisation on organisation.id = delivery.organisation_id
       left join operator.webhook_endpoints endpoint
         on endpoint.organisation_id = delivery.organisation_id and endpoint.id = delivery.endpoint_id
       left join operator.events event
         on event.organisation_id = delivery.organisation_id and event.id = delivery.event_id
       where delivery.id = $1`,
      [id],
    );
    const [found] = delivery;
    if (!found)
      throw new Error("No delivery has that id. Deliveries are deleted after their retention (docs/deliveries.md).");
    print(
      {
        at,
        sections: {
          delivery: { title: "Delivery", rows: delivery },
          attempts: {
            title: "Attempts",
            rows: await rows(
              `select number, trigger, started_at, duration_ms, status_code, failure from operator.delivery_attempts
               where organisation_id = $1 and delivery_id = $2 order by number limit 100`,
              [found.organisation_id, id],
            ),
          },
          changes: { title: "Changes", rows: await changesOf(rows, found) },
        },
        unknown: [
          "What the receiver did with the body: its own log has the id of the delivery as X-Botstead-Delivery.",
          "Attempts of a worker that was killed: they have no outcome.",
        ],
      },
      format,
    );
  });
}
