/** The lists of an organisation's bots, and of what starts their runs. */
import { person, type Row, state, text, when } from "../parts/columns.tsx";
import { linkTo } from "../parts/rows.tsx";
import type { Column } from "../parts/table.tsx";
import { When } from "../times.tsx";
import type { List } from "./organisation-list.tsx";

const ofBot: Column<Row> = { key: "bot", title: "Bot", long: true, render: ({ bot }) => bot?.name ?? "–" };

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
      {
        key: "schedule",
        title: "Schedule",
        render: ({ schedule, timeZone }) => (
          <span>
            <code>{schedule}</code> {timeZone}
          </span>
        ),
      },
      state((row) => (row.deletedAt ? "deleted" : row.state)),
      when("Next run", "nextFiringAt"),
      {
        key: "last-run",
        title: "Last run",
        render: ({ lastRunId, lastFiredAt }) => linkTo("runs", lastRunId, <When at={lastFiredAt} />),
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
