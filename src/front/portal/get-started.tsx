/** First steps of an organisation. Shown until each is done, as far as the session can do them. */
import { Badge } from "../parts/badge.tsx";
import { useList } from "../parts/list.ts";
import { Section } from "../parts/page.tsx";
import { useMay } from "./session-context.ts";
import { overviewTexts } from "./texts/overview.ts";

const texts = overviewTexts.start;

const steps = [
  { operation: "create_bot", path: "/bots", page: "/portal/bots" },
  { operation: "start_run", path: "/runs", page: "/portal/runs" },
  { operation: "create_webhook", path: "/webhooks", page: "/portal/endpoints" },
] as const;

export function GetStarted() {
  const may = useMay();
  const own = steps.map((step) => ({
    ...step,
    ...useList<object>(may(step.operation) ? step.path : null, { limit: 1 }),
  }));
  const possible = own.filter(({ operation }) => may(operation));
  const isKnown = possible.every(({ loading, error }) => !loading && !error);
  if (!isKnown || possible.every(({ rows }) => rows.length > 0)) return null;
  return (
    <Section title={texts.title}>
      <ol class="steps">
        {possible.map(({ operation, page, rows }) => (
          <li key={operation}>
            <a href={page}>{texts.steps[operation]}</a> {rows.length > 0 && <Badge kind="good">{texts.done}</Badge>}
          </li>
        ))}
      </ol>
    </Section>
  );
}
