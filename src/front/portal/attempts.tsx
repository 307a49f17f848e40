/** The attempts of a delivery. */
import { useState } from "preact/hooks";
import { useOne } from "../parts/api.ts";
import { Badge } from "../parts/badge.tsx";
import type { Column } from "../parts/column.ts";
import { Failure } from "../parts/failure.tsx";
import { Time } from "../parts/time.tsx";
import { outcomeText } from "./delivery-outcome.ts";
import type { Schemas } from "./schemas.ts";
import { deliveryTexts as texts } from "./texts/endpoints.ts";

type Attempt = Schemas["Attempt"];

/** The number of attempts, which opens their list. The list is read when it is opened, and again after another attempt. */
export function AttemptsOf({ delivery }: { delivery: Schemas["Delivery"] }) {
  const { id, state, attempts, maxAttempts } = delivery;
  const [isOpen, setOpen] = useState(false);
  if (attempts === 0) return <>{`0 / ${maxAttempts}`}</>;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{`${attempts} / ${maxAttempts}`}</summary>
      {isOpen && <Attempts key={`${attempts} ${state}`} deliveryId={id} />}
    </details>
  );
}

function Attempts({ deliveryId }: { deliveryId: string }) {
  const { data, error, reload } = useOne<Schemas["DeliveryInFull"]>(`/deliveries/${deliveryId}`);
  return (
    <>
      <Failure error={error} retry={reload} />
      <ol class="attempts">
        {data?.attemptLog.map((attempt) => (
          <li key={attempt.number}>
            <Time at={attempt.startedAt} /> <Outcome attempt={attempt} /> {durationOf(attempt)}
          </li>
        ))}
      </ol>
    </>
  );
}

function Outcome({ attempt: { statusCode, failure } }: { attempt: Attempt }) {
  const isSuccess = failure === null && statusCode !== null && statusCode >= 200 && statusCode < 300;
  return <Badge kind={isSuccess ? "good" : "bad"}>{outcomeText(statusCode, failure)}</Badge>;
}

export const durationOf = ({ durationMs }: Pick<Attempt, "durationMs">) => `${durationMs.toLocaleString()} ms`;

export const attemptColumns: Column<Attempt>[] = [
  { key: "number", title: texts.columns.number, render: ({ number }) => number, sortBy: ({ number }) => number },
  { key: "startedAt", phone: "time", title: texts.columns.started, render: ({ startedAt }) => <Time at={startedAt} /> },
  { key: "trigger", title: texts.columns.trigger, render: ({ trigger }) => texts.triggers[trigger] },
  { key: "outcome", phone: "title", title: texts.columns.outcome, render: (attempt) => <Outcome attempt={attempt} /> },
  {
    key: "durationMs",
    phone: "state",
    title: texts.columns.duration,
    number: true,
    render: durationOf,
    sortBy: ({ durationMs }) => durationMs,
  },
];
