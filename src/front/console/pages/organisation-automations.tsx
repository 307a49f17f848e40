/** The lists of an organisation's bots, and of what starts their runs. */
import { person, type Row, state, text, when } from "../parts/columns.tsx";
import { automationFilters, botFilters } from "../parts/list-options.ts";
import { linkTo, tabLink } from "../parts/rows.tsx";
import type { Column } from "../parts/table.tsx";
import { When } from "../times.tsx";
import type { OrganisationListOf } from "./organisation-list.tsx";

const ofBot: Column<Row> = { key: "bot", title: "Bot", long: true, render: ({ bot }) => bot?.name ?? "–" };

/** By name of the tab. */
export const automations: Record<string, OrganisationListOf> = {
  bots: {
    title: "Bots",
    query: "organisation-bots",
    filters: botFilters,
    contains: "Name or model",
    field: "bots",
    none: "No bots. A person sends a bot messages, and the bot answers. Members create bots in the portal.",
    start: tabLink("members", "View the portal as a member"),
    columns: [
      text("Name", "name"),
      text("Model", "model"),
      text("Visibility", "visibility"),
      state(),
      person("Owner", "owner"),
      when("Created", "createdAt"),
    ],
  },
  routines: {
    title: "Routines",
    query: "organisation-routines",
    filters: automationFilters,
    contains: "Name",
    field: "routines",
    none: "No routines. A routine sends a bot a message at fixed times. Members create routines in the portal.",
    start: tabLink("bots", "Show the bots"),
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
      state("status"),
      when("Next run", "nextFiringAt"),
      {
        key: "last-run",
        title: "Last run",
        text: ({ lastFiredAt }) => lastFiredAt,
        order: "LAST_FIRED_AT",
        render: ({ lastRunId, lastFiredAt }) => linkTo("runs", lastRunId, <When at={lastFiredAt} />),
      },
      text("Last skip reason", "lastSkipReason"),
    ],
  },
  hooks: {
    title: "Hooks",
    query: "organisation-hooks",
    filters: automationFilters,
    contains: "Name",
    field: "hooks",
    none: "No hooks. Another system posts to a hook, and the post starts a run. Members create hooks in the portal.",
    start: tabLink("bots", "Show the bots"),
    columns: [
      text("Name", "name"),
      ofBot,
      state("status"),
      when("Last received", "lastReceivedAt", "never"),
      when("Created", "createdAt"),
    ],
  },
};
