/** Model of webhook endpoints and their deliveries. (docs/specification/webhooks.md, docs/specification/deliveries.md) */
import fc from "fast-check";
import { at, type Do, type Model } from "./model.ts";

type Delivery = { endpoint: number; isTest: boolean; state: "pending" | "delivered" | "failed"; attempts: number };
type Endpoint = { state: "active" | "paused" | "disabled" | "deleted"; reason: string | null; failures: number };
type Endpoints = { endpoints: Endpoint[]; deliveries: (Delivery & { inRound: number })[] };

/** `attempt` makes every due attempt of the endpoint once, with this status. `event` is for all endpoints. */
export type EndpointAction =
  | Do<"create" | "event">
  | Do<"test" | "delete", { endpoint: number }>
  | Do<"patch", { endpoint: number; state: "active" | "paused" }>
  | Do<"attempt", { endpoint: number; status: number }>
  | Do<"redeliver", { delivery: number }>;

export const attemptsOfRound = 2;
const maxFailures = 10;
export const maxEndpoints = 2;
const endpoint = fc.nat(2);

/** At a disabled or deleted endpoint pending deliveries fail without an attempt. */
function end(state: Endpoints, place: number, to: "disabled" | "deleted", reason: string | null): void {
  Object.assign(at(state.endpoints, place), { state: to, reason });
  for (const each of state.deliveries) if (each.endpoint === place && each.state === "pending") each.state = "failed";
}

/** The state of a delivery after one more attempt. Null: no response. */
export function stateAfter(
  { isTest, inRound }: { isTest: boolean; inRound: number },
  status: number | null,
  perRound: number,
): Delivery["state"] {
  if (status !== null && status >= 200 && status < 300) return "delivered";
  return (status === 410 && !isTest) || inRound === perRound ? "failed" : "pending";
}

function attempt(state: Endpoints, place: number, status: number): void {
  for (const each of state.deliveries.filter((due) => due.endpoint === place && due.state === "pending")) {
    const target = at(state.endpoints, place);
    if (target.state !== "active") return;
    each.attempts += 1;
    each.inRound += 1;
    each.state = stateAfter(each, status, attemptsOfRound);
    if (each.state === "delivered") target.failures = 0;
    if (each.state === "failed") target.failures += 1;
    if (status === 410 && !each.isTest) end(state, place, "disabled", "gone");
    else if (target.failures === maxFailures) end(state, place, "disabled", "consecutive_failures");
  }
}

export const endpointsModel: Model<Endpoints, EndpointAction> = {
  start: () => ({ endpoints: [], deliveries: [] }),
  actions: fc.oneof(
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("create" as const, "event" as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constantFrom(...(["test", "test", "test", "delete"] as const)), endpoint }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("patch" as const),
        endpoint,
        state: fc.constantFrom("active" as const, "paused" as const),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        ...{ do: fc.constant("attempt" as const), endpoint },
        status: fc.constantFrom(204, 204, 410, 500, 500, 500),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("redeliver" as const), delivery: fc.nat(9) }) },
  ),
  applies: ({ endpoints, deliveries }, action) =>
    "endpoint" in action ? endpoints.length > 0 : action.do !== "redeliver" || deliveries.length > 0,
  next(state, action) {
    const { endpoints, deliveries } = state;
    const pending = { state: "pending" as const, attempts: 0, inRound: 0 };
    if (action.do === "create") {
      if (endpoints.filter((each) => each.state !== "deleted").length >= maxEndpoints) return "429 limit_webhooks";
      endpoints.push({ state: "active", reason: null, failures: 0 });
      return "201";
    }
    if (action.do === "event") {
      for (const [place, each] of endpoints.entries())
        if (each.state === "active") deliveries.push({ endpoint: place, isTest: false, ...pending });
      return "201";
    }
    if (action.do === "redeliver") {
      const chosen = at(deliveries, action.delivery);
      if (at(endpoints, chosen.endpoint).state !== "active") return "409 endpoint_not_active";
      if (chosen.state !== "failed") return "409 delivery_not_failed";
      Object.assign(chosen, { state: "pending", inRound: 0 });
      return "202";
    }
    const place = action.endpoint % endpoints.length;
    const chosen = at(endpoints, place);
    if (action.do === "attempt") {
      attempt(state, place, action.status);
      return "done";
    }
    if (action.do === "test") {
      if (chosen.state !== "active") return "409 endpoint_not_active";
      deliveries.push({ endpoint: place, isTest: true, ...pending });
      return "202";
    }
    if (chosen.state === "deleted") return "404";
    if (action.do === "delete") end(state, place, "deleted", chosen.reason);
    else if (chosen.state === "disabled" && action.state === "paused") return "409 endpoint_disabled";
    else if (chosen.state === "disabled") Object.assign(chosen, { state: "active", reason: null, failures: 0 });
    else chosen.state = action.state;
    return "200";
  },
  shown: ({ endpoints, deliveries }) => ({
    endpoints: endpoints.map((each) => (each.state === "deleted" ? { state: "deleted" } : each)),
    deliveries: deliveries.map(({ inRound: _, ...each }) => each),
  }),
};
