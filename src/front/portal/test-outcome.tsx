/** The outcome of a test event, as soon as it is known. */
import { useOne } from "../parts/api.ts";
import { Failure } from "../parts/failure.tsx";
import { useInterval } from "../parts/use-interval.ts";
import { durationOf } from "./attempts.tsx";
import { outcomeText } from "./delivery-outcome.ts";
import type { Schemas } from "./schemas.ts";
import { endpointTexts } from "./texts/endpoints.ts";

const texts = endpointTexts.test;
const refreshIntervalMs = 1_000;

export function TestOutcome({ deliveryId }: { deliveryId: string }) {
  const { data, error, reload } = useOne<Schemas["DeliveryInFull"]>(`/deliveries/${deliveryId}`);
  const attempt = data?.attemptLog.at(-1);
  const isKnown = attempt !== undefined || (data !== undefined && data.state !== "pending");
  useInterval(reload, isKnown ? null : refreshIntervalMs);
  if (error) return <Failure error={error} retry={reload} />;
  const isDelivered = data?.state === "delivered";
  const ended = isKnown ? texts.ended : texts.pending;
  const outcome = attempt && outcomeText(attempt.statusCode, attempt.failure);
  const text = isDelivered ? texts.arrived : texts.failed;
  return (
    <p class={`notice ${isKnown ? (isDelivered ? "good" : "bad") : ""}`} role="status">
      {attempt && outcome ? text(outcome, durationOf(attempt)) : ended}{" "}
      <a href={`/portal/endpoints/deliveries/${deliveryId}`}>{texts.show}</a>
    </p>
  );
}
