/** What needs attention: endpoints that fail, open approvals, blocked runs, keys that expire, and limits nearly used. */
import { useList } from "../parts/list.ts";
import { Section } from "../parts/page.tsx";
import { type LimitRow, shareOf } from "./limits-table.tsx";
import type { Schemas } from "./schemas.ts";
import { useMay } from "./session-context.ts";
import { overviewTexts } from "./texts/overview.ts";

const texts = overviewTexts.attention;
const expiresSoonMs = 14 * 86_400_000;

type Item = { href: string; text: string; isBad?: boolean };

export function Attention({ endpoints, limits }: { endpoints: Schemas["Webhook"][]; limits: LimitRow[] }) {
  const may = useMay();
  const approvals = useList<Schemas["Approval"]>(may("list_approvals") ? "/approvals" : null, {
    state: "pending",
    limit: 100,
  });
  const blocked = useList<Schemas["Run"]>(may("list_runs") ? "/runs" : null, { state: "blocked", limit: 100 });
  const keys = useList<Schemas["Key"]>(may("list_keys") ? "/keys" : null, { state: "live", limit: 100 });
  const items: Item[] = [
    ...endpoints.flatMap(endpointItem),
    ...countItem(approvals, "/portal/approvals?state=pending", texts.approvals),
    ...countItem(blocked, "/portal/runs?state=blocked", texts.blocked),
    ...keys.rows
      .filter(({ expiresAt }) => Date.parse(expiresAt) - Date.now() < expiresSoonMs)
      .map(({ id, name }) => ({ href: `/portal/keys/${id}`, text: texts.expiring(name) })),
    ...limits
      .filter((row) => shareOf(row) >= 0.8)
      .map((row) => ({
        href: "#limits",
        text: texts.limit(overviewTexts.limitNames[row.name]),
        isBad: shareOf(row) >= 1,
      })),
  ];
  return (
    <Section title={texts.title}>
      {items.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <ul class="attention">
          {items.map(({ href, text, isBad }) => (
            <li key={href + text} class={isBad ? "bad" : "warn"}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function endpointItem({ id, url, description, state, consecutiveFailures }: Schemas["Webhook"]): Item[] {
  const [href, name] = [`/portal/endpoints/${id}`, description ?? new URL(url).host];
  if (state === "disabled") return [{ href, text: texts.disabled(name), isBad: true }];
  if (state === "active" && consecutiveFailures > 0) {
    return [{ href, text: texts.failing(name, consecutiveFailures), isBad: true }];
  }
  return [];
}

type Counted = { rows: unknown[]; more: unknown };

function countItem({ rows, more }: Counted, href: string, text: (count: string) => string): Item[] {
  if (rows.length === 0) return [];
  return [{ href, text: text(`${rows.length.toLocaleString()}${more ? "+" : ""}`) }];
}
