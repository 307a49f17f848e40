/** Runs and deliveries of the last 24 hours, per hour. */
import { useMemo } from "preact/hooks";
import { api } from "../parts/api.ts";
import { toneOf } from "../parts/badge.tsx";
import { Chart } from "../parts/chart.tsx";
import { Failure } from "../parts/failure.tsx";
import { Loading } from "../parts/page.tsx";
import { useRead } from "../parts/use-read.ts";
import { readAll } from "./read-all.ts";
import type { Schemas } from "./schemas.ts";
import { overviewTexts } from "./texts/overview.ts";

const texts = overviewTexts.charts;
const hourMs = 3_600_000;
const hoursShown = 24;

/** The starts of the hours shown, in ms, oldest first. */
function shownHours(now = Date.now()): number[] {
  const current = now - (now % hourMs);
  return Array.from({ length: hoursShown }, (_, index) => current - (hoursShown - 1 - index) * hourMs);
}

export function RunsChart() {
  const hours = useMemo(() => shownHours(), []);
  const since = new Date(hours[0] ?? 0).toISOString();
  const { data, error, reload } = useRead(since, (signal) => readAll<Schemas["Run"]>("/runs", { since }, { signal }));
  const chart = useMemo(() => {
    const rows = data?.rows ?? [];
    const count = (isCounted: (run: Schemas["Run"]) => boolean) =>
      hours.map(
        (hour) =>
          rows.filter((run) => {
            const at = Date.parse(run.createdAt);
            return at >= hour && at < hour + hourMs && isCounted(run);
          }).length,
      );
    const hasFailed = ({ state }: Schemas["Run"]) => state === "failed" || state === "cancelled";
    return {
      times: hours.map((hour) => hour / 1_000),
      series: [
        { label: texts.runsOf.completed, tone: "good" as const, values: count(({ state }) => state === "completed") },
        { label: texts.runsOf.failed, tone: "bad" as const, values: count(hasFailed) },
        {
          label: texts.runsOf.open,
          tone: "busy" as const,
          values: count((run) => run.state !== "completed" && !hasFailed(run)),
        },
      ],
    };
  }, [data, hours]);
  if (error) return <Failure error={error} retry={reload} />;
  if (!data) return <Loading />;
  return (
    <div>
      <Chart title={texts.runs} {...chart} />
      {data.isCut && <p class="quiet">{texts.runsCut(data.rows.length.toLocaleString())}</p>}
    </div>
  );
}

/** The sum over the endpoints. */
export function DeliveriesChart({ endpoints }: { endpoints: Schemas["Webhook"][] }) {
  const key = endpoints.map(({ id }) => id).join(" ");
  const { data, error, reload } = useRead(key, (signal) =>
    Promise.all(
      endpoints.map(({ id }) => api<Schemas["WebhookStats"]>("GET", `/webhooks/${id}/stats`, undefined, { signal })),
    ),
  );
  const chart = useMemo(() => {
    const hours = shownHours();
    const sum = (name: "delivered" | "failed" | "pending") =>
      hours.map((hour) => {
        const inHour = (data ?? []).flatMap((stats) => stats.hours.filter((each) => Date.parse(each.hour) === hour));
        return inHour.reduce((total, { deliveries }) => total + deliveries[name], 0);
      });
    return {
      times: hours.map((hour) => hour / 1_000),
      series: (["delivered", "failed", "pending"] as const).map((name) => ({
        label: texts[name],
        tone: toneOf(name),
        values: sum(name),
      })),
    };
  }, [data]);
  if (error) return <Failure error={error} retry={reload} />;
  return data ? <Chart title={texts.deliveries} {...chart} /> : <Loading />;
}
