/** The charts of a time span, of all organisations or one. */
import type { Tone } from "../../parts/badge.tsx";
import { Chart } from "../../parts/chart.tsx";
import type { Series } from "../../parts/chart-options.ts";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/page.tsx";
import { type Answer, refresh, useLive } from "../live.ts";
import type { Count } from "../numbers.ts";
import { between, type Span } from "../time-ranges.ts";

type DeliveryPoint = Percentiles & { succeeded: Count; failed: Count };
type Percentiles = { at: string; p50Ms: number | null; p95Ms: number | null; p99Ms: number | null };
type RunPoint = { at: string; completed: Count; failed: Count; cancelled: Count; open: Count };
type RequestPoint = { at: string; answered: Count; refused: Count; limited: Count; failed: Count };

type Props = { span: Span; organisation?: string };

export function Plots({ span, organisation }: Props) {
  const variables = { organisation: organisation ?? null, span: span.name };
  const moving = () => ({ ...between(span), span: undefined });
  const deliveries = useLive<{ deliverySeries: DeliveryPoint[] }>("delivery-series", variables, moving);
  const runs = useLive<{ runSeries: RunPoint[] }>("run-series", variables, moving);
  const requests = useLive<{ requestSeries: RequestPoint[] }>("request-series", variables, moving);
  return (
    <div class="plots">
      {chart("Deliveries by outcome", deliveries, ({ deliverySeries }) => deliverySeries, [
        ["succeeded", (point) => point.succeeded, "good"],
        ["failed", (point) => point.failed, "bad"],
      ])}
      {chart(
        "Delivery latency",
        deliveries,
        ({ deliverySeries }) => deliverySeries,
        [
          ["p50", (point) => point.p50Ms],
          ["p95", (point) => point.p95Ms],
          ["p99", (point) => point.p99Ms],
        ],
        "ms",
      )}
      {chart("Runs by start time", runs, ({ runSeries }) => runSeries, [
        ["completed", (point) => point.completed, "good"],
        ["open", (point) => point.open, "busy"],
        ["cancelled", (point) => point.cancelled, "neutral"],
        ["failed", (point) => point.failed, "bad"],
      ])}
      {chart("Requests by outcome", requests, ({ requestSeries }) => requestSeries, [
        ["answered", (point) => point.answered, "good"],
        ["refused", (point) => point.refused, "neutral"],
        ["rate-limited", (point) => point.limited, "warn"],
        ["server errors", (point) => point.failed, "bad"],
      ])}
    </div>
  );
}

/** @param unit a count if missing: a point without a value is zero then, and a gap otherwise */
function chart<Data, Point extends { at: string }>(
  title: string,
  { data, failure }: Answer<Data>,
  pointsOf: (data: Data) => Point[],
  lines: [label: string, value: (point: Point) => Count, tone?: Tone][],
  unit?: string,
) {
  if (!data) {
    return (
      <div class="panel chart">
        <h3>{title}</h3>
        {failure ? <Failure error={new Error(failure.message)} retry={refresh} /> : <Loading />}
      </div>
    );
  }
  const points = pointsOf(data);
  const series: Series[] = lines.map(([label, value, tone]) => ({
    label,
    ...(tone ? { tone } : {}),
    values: points.map((point) => (value(point) == null ? (unit ? null : 0) : Number(value(point)))),
  }));
  const times = points.map(({ at }) => Date.parse(at) / 1_000);
  return (
    <div class="panel">
      <Chart title={title} times={times} series={series} {...(unit ? { unit } : {})} />
    </div>
  );
}
