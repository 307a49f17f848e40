/** Deliveries and response times of an endpoint per hour. */
import { useMemo } from "preact/hooks";
import { useOne } from "../parts/api.ts";
import { toneOf } from "../parts/badge.tsx";
import { Chart } from "../parts/chart.tsx";
import { Failure } from "../parts/failure.tsx";
import { Facts, Loading, Section } from "../parts/page.tsx";
import type { Schemas } from "./schemas.ts";
import { endpointTexts } from "./texts/endpoints.ts";

const texts = endpointTexts.one;

export function EndpointCharts({ endpointId }: { endpointId: string }) {
  const { data, error, reload } = useOne<Schemas["WebhookStats"]>(`/webhooks/${endpointId}/stats`);
  const charts = useMemo(() => {
    const hours = data?.hours ?? [];
    return {
      times: hours.map(({ hour }) => Date.parse(hour) / 1_000),
      deliveries: [
        {
          label: texts.delivered,
          tone: toneOf("delivered"),
          values: hours.map(({ deliveries }) => deliveries.delivered),
        },
        { label: texts.failed, tone: toneOf("failed"), values: hours.map(({ deliveries }) => deliveries.failed) },
        { label: texts.pending, tone: toneOf("pending"), values: hours.map(({ deliveries }) => deliveries.pending) },
      ],
      durations: (["p50", "p95", "p99"] as const).map((label) => ({
        label,
        values: hours.map(({ attempts }) => attempts.durationMs[label]),
      })),
    };
  }, [data]);
  if (error) return <Failure error={error} retry={reload} />;
  if (!data) return <Loading />;
  const { deliveries } = data.totals;
  const share = deliveries.successShare;
  return (
    <Section title={texts.stats}>
      <Facts
        items={[
          [texts.delivered, deliveries.delivered.toLocaleString()],
          [texts.failed, deliveries.failed.toLocaleString()],
          [texts.pending, deliveries.pending.toLocaleString()],
          [
            texts.share,
            share === null ? "–" : share.toLocaleString(undefined, { style: "percent", maximumFractionDigits: 1 }),
          ],
        ]}
      />
      <div class="columns">
        <Chart title={texts.chart} times={charts.times} series={charts.deliveries} />
        <Chart title={texts.times} times={charts.times} series={charts.durations} unit="ms" />
      </div>
    </Section>
  );
}
