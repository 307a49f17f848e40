/** The first page: what needs attention, runs and deliveries over time, and the use of every limit. */
import { useOne } from "../../parts/api.ts";
import { Failure } from "../../parts/failure.tsx";
import { useNewest } from "../../parts/list.ts";
import { Loading, Page } from "../../parts/page.tsx";
import { useInterval } from "../../parts/use-interval.ts";
import { Attention } from "../attention.tsx";
import { GetStarted } from "../get-started.tsx";
import { Limits, limitRows } from "../limits.tsx";
import { DeliveriesChart, RunsChart } from "../overview-charts.tsx";
import type { Schemas } from "../schemas.ts";
import type { Session } from "../session.ts";
import { useMay, useMayExport } from "../session-context.ts";
import { exportTexts } from "../texts/export.ts";
import { overviewTexts as texts } from "../texts/overview.ts";

const refreshIntervalMs = 10_000;

export default function Overview() {
  const may = useMay();
  const mayExport = useMayExport();
  const { data: session, error, reload } = useOne<Session>("/portal-session");
  const endpoints = useNewest<Schemas["Webhook"]>(may("list_webhooks") ? "/webhooks" : null, { limit: 100 });
  useInterval(endpoints.refresh, refreshIntervalMs);
  const limits = limitRows(session?.limits ?? {});
  return (
    <Page title={texts.title} actions={mayExport && <a href="/portal/export">{exportTexts.link}</a>}>
      <Failure error={error} retry={reload} />
      <Failure {...endpoints} />
      <GetStarted />
      <Attention endpoints={endpoints.rows} limits={limits} hasStream={session?.hasAuditStream ?? false} />
      <div class="columns">
        {may("list_runs") && (
          <div class="panel">
            <RunsChart />
          </div>
        )}
        {may("get_webhook_stats") && (
          <div class="panel">
            <DeliveriesChart endpoints={endpoints.rows} />
          </div>
        )}
      </div>
      <div id="limits">{session ? <Limits rows={limits} /> : !error && <Loading />}</div>
    </Page>
  );
}
