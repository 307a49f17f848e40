import { leaseDue, record } from "../../support/endpoint-leases.ts";
import { type EndpointAction, maxEndpoints } from "../endpoints.ts";
import { at, type Product } from "../model.ts";
import { openTenant, type Place } from "./place.ts";

const url = "https://receiver.example/";
const events = ["memory.created"];
const memory = { scope: "organisation", kind: "note", subject: "harbour", value: "Deep." };

export async function openEndpoints(place: Place): Promise<Product<EndpointAction>> {
  const { organisation, call, sql } = await openTenant(place, { liveWebhooks: maxEndpoints });
  const { id: organisationId } = organisation;
  const queries = { query: async (text: string, values: unknown[]) => ({ rows: await sql(text, values) }) } as never;
  const endpoints: string[] = [];
  const deliveries = () =>
    sql<{ id: string; endpoint: string; event: string; state: string; attempts: number }>(
      `select id, endpoint_id as endpoint, event, state, attempts from app.deliveries where organisation_id = $1
       order by event_id, array_position($2, endpoint_id)`,
      [organisationId, endpoints],
    );

  /** Makes each pending delivery due, and ends one attempt of each. */
  async function attempt(endpointId: string, statusCode: number): Promise<void> {
    await sql(
      `update app.deliveries delivery set next_attempt_at = now() - interval '1 hour' + place * interval '1 millisecond'
       from (select id, row_number() over (order by event_id) as place from app.deliveries where endpoint_id = $1) ordered
       where delivery.id = ordered.id and delivery.endpoint_id = $1 and delivery.state = 'pending'`,
      [endpointId],
    );
    for (;;) {
      // One at a time, as after a failed attempt: of attempts under way, also later ones would be recorded at a disabled endpoint.
      await sql("update app.webhook_endpoints set degraded_since = now() where id = $1", [endpointId]);
      const leased = await leaseDue(queries, { organisationId, endpointId });
      if (leased.length === 0) return;
      await record(
        queries,
        organisationId,
        leased.map((step) => [step, { statusCode }] as const),
      );
    }
  }

  return {
    async perform(action) {
      if (action.do === "create") {
        const { said, body } = await call("POST", "/webhooks", { url, events });
        if (said === "201") endpoints.push(body.id);
        return said;
      }
      if (action.do === "event") return (await call("POST", "/memories", memory)).said;
      if (action.do === "redeliver") {
        const { id } = at(await deliveries(), action.delivery);
        return (await call("POST", `/deliveries/${id}/redeliver`)).said;
      }
      const id = at(endpoints, action.endpoint);
      if (action.do === "test") return (await call("POST", `/webhooks/${id}/test`)).said;
      if (action.do === "delete") return (await call("DELETE", `/webhooks/${id}`)).said;
      if (action.do === "patch") return (await call("PATCH", `/webhooks/${id}`, { state: action.state })).said;
      await attempt(id, action.status);
      return "done";
    },
    async shown() {
      const { data } = (await call("GET", "/webhooks")).body;
      return {
        endpoints: endpoints.map((id) => {
          const row = data.find((each: { id: string }) => each.id === id);
          if (!row) return { state: "deleted" };
          return { state: row.state, reason: row.disabledReason, failures: row.consecutiveFailures };
        }),
        deliveries: (await deliveries()).map(({ endpoint, event, state, attempts }) => ({
          ...{ endpoint: endpoints.indexOf(endpoint), isTest: event === "webhook.test", state, attempts },
        })),
      };
    },
  };
}
