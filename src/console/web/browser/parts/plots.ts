/** The plots of a time span, of all organisations or one. */
import { html } from "../html.ts";
import { type Answer, useLive } from "../live.ts";
import { type Count, compact, ms } from "../numbers.ts";
import { between, type Span } from "../time-ranges.ts";
import { Plot } from "./plot.ts";
import type { PlotProps } from "./series.ts";
import { failed, loading } from "./states.ts";

type DeliveryPoint = { at: string; succeeded: Count; failed: Count; p50Ms: number | null; p95Ms: number | null };
type RunPoint = { at: string; completed: Count; failed: Count; cancelled: Count; open: Count };
type RequestPoint = { at: string; answered: Count; refused: Count; limited: Count; failed: Count };

type Props = { span: Span; organisation?: string };

export function Plots({ span, organisation }: Props) {
  const variables = { organisation: organisation ?? null, span: span.name };
  const moving = () => ({ ...between(span), span: undefined });
  const deliveries = useLive<{ deliverySeries: DeliveryPoint[] }>("delivery-series", variables, moving);
  const runs = useLive<{ runSeries: RunPoint[] }>("run-series", variables, moving);
  const requests = useLive<{ requestSeries: RequestPoint[] }>("request-series", variables, moving);
  const step = span.step * 60_000;
  const of = <Point extends { at: string }>(points: Point[]) => ({
    at: points.map(({ at }) => Date.parse(at)),
    step,
    counts: (pick: (point: Point) => Count) => points.map((point) => Number(pick(point) ?? 0)),
    values: (pick: (point: Point) => number | null) => points.map(pick),
  });
  return html`<div class="plots">
    ${plotted(deliveries, "Deliveries by outcome", ({ deliverySeries }) => {
      const { at, counts } = of(deliverySeries);
      return {
        ...{
          id: "plot-deliveries",
          title: "Deliveries by outcome",
          unit: "attempts",
          kind: "bars",
          at,
          step,
          show: compact,
        },
        series: [
          { name: "succeeded", colour: "fine", values: counts((point) => point.succeeded) },
          { name: "failed", colour: "wrong", values: counts((point) => point.failed) },
        ],
      };
    })}
    ${plotted(deliveries, "Delivery latency", ({ deliverySeries }) => {
      const { at, values } = of(deliverySeries);
      return {
        ...{ id: "plot-latency", title: "Delivery latency", unit: "ms", kind: "lines", at, step, show: ms },
        series: [
          { name: "p50", colour: "middle", values: values((point) => point.p50Ms) },
          { name: "p95", colour: "slow", values: values((point) => point.p95Ms) },
        ],
      };
    })}
    ${plotted(runs, "Runs by start time", ({ runSeries }) => {
      const { at, counts } = of(runSeries);
      return {
        ...{ id: "plot-runs", title: "Runs by start time", unit: "runs", kind: "bars", at, step, show: compact },
        series: [
          { name: "completed", colour: "fine", values: counts((point) => point.completed) },
          { name: "open", colour: "plain-blue", values: counts((point) => point.open) },
          { name: "cancelled", colour: "grey", values: counts((point) => point.cancelled) },
          { name: "failed", colour: "wrong", values: counts((point) => point.failed) },
        ],
      };
    })}
    ${plotted(requests, "Requests by outcome", ({ requestSeries }) => {
      const { at, counts } = of(requestSeries);
      return {
        ...{
          id: "plot-requests",
          title: "Requests by outcome",
          unit: "requests",
          kind: "bars",
          at,
          step,
          show: compact,
        },
        series: [
          { name: "answered", colour: "plain-blue", values: counts((point) => point.answered) },
          { name: "refused", colour: "wait", values: counts((point) => point.refused) },
          { name: "rate-limited", colour: "violet", values: counts((point) => point.limited) },
          { name: "server errors", colour: "wrong", values: counts((point) => point.failed) },
        ],
      };
    })}
  </div>`;
}

function plotted<Data>(answer: Answer<Data>, title: string, props: (data: Data) => PlotProps) {
  if (answer.data) return html`<${Plot} ...${props(answer.data)} />`;
  return html`<div class="plot"><h3>${title}</h3>${answer.failure ? failed(answer.failure.message) : loading(5)}</div>`;
}
