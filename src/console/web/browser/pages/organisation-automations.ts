/** The lists of an organisation's bots, and of what starts their runs. */
import { html } from "../html.ts";
import { person, type Row, state, text, when } from "../parts/columns.ts";
import { linkTo } from "../parts/rows.ts";
import type { Column } from "../parts/table.ts";
import { When } from "../times.ts";
import type { List } from "./organisation-list.ts";

const ofBot: Column<Row> = { head: "Bot", long: true, cell: ({ bot }) => bot?.name ?? "–" };

/** By name of the tab. */
export const automations: Record<string, List> = {
  bots: {
    title: "Bots",
    query: "organisation-bots",
    field: "bots",
    none: "No bots.",
    columns: [
      text("Name", "name"),
      text("Model", "model"),
      text("Visibility", "visibility"),
      state((row) => (row.deletedAt ? "deleted" : "live")),
      person("Owner", "owner"),
      when("Created", "createdAt"),
    ],
  },
  routines: {
    title: "Routines",
    query: "organisation-routines",
    field: "routines",
    none: "No routines.",
    columns: [
      text("Name", "name"),
      ofBot,
      { head: "Schedule", cell: ({ schedule, timeZone }) => html`<span><code>${schedule}</code> ${timeZone}</span>` },
      state((row) => (row.deletedAt ? "deleted" : row.state)),
      when("Next run", "nextFiringAt"),
      {
        head: "Last run",
        cell: ({ lastRunId, lastFiredAt }) => linkTo("runs", lastRunId, html`<${When} at=${lastFiredAt} />`),
      },
      text("Last skip reason", "lastSkipReason"),
    ],
  },
  hooks: {
    title: "Inbound webhooks",
    query: "organisation-hooks",
    field: "hooks",
    none: "No inbound webhooks.",
    columns: [
      text("Name", "name"),
      ofBot,
      state((row) => (row.deletedAt ? "deleted" : row.state)),
      when("Last received", "lastReceivedAt", "never"),
      when("Created", "createdAt"),
    ],
  },
};
