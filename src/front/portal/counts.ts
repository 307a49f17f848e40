/** Numbers beside sections of the navigation: what does not work, or waits for a person. */
import { useEffect } from "preact/hooks";
import { useList } from "../parts/list.ts";
import { useInterval } from "../parts/use-interval.ts";
import { needsAttention } from "./endpoint-state.tsx";
import type { Schemas } from "./schemas.ts";
import { useMay } from "./session-context.ts";
import { frameTexts } from "./texts/frame.ts";

/** A count and what it counts, for example "2" and "failing". */
export type Count = { shown: string; of: string };
export type Counts = Partial<Record<Schemas["PortalSection"], Count>>;

const texts = frameTexts.counts;
const refreshIntervalMs = 10_000;

/** @param path of the page: the numbers are read again when it changes */
export function useCounts(path: string): Counts {
  const may = useMay();
  const approvals = useList(may("list_approvals") ? "/approvals" : null, { state: "pending", limit: 100 });
  const endpoints = useList<Schemas["Webhook"]>(may("list_webhooks") ? "/webhooks" : null, { limit: 100 });
  const hooks = useList<Schemas["Hook"]>(may("list_hooks") ? "/hooks" : null, { limit: 100 });
  const lists = [approvals, endpoints, hooks];
  const read = () => {
    for (const { reload } of lists) reload();
  };
  useInterval(read, refreshIntervalMs);
  useEffect(() => {
    if (lists.every(({ loading }) => !loading)) read(); // not at the first page, which reads them anyway
  }, [path]);
  return {
    ...countOf("approvals", approvals.rows, approvals.more),
    ...countOf("endpoints", endpoints.rows.filter(needsAttention)),
    ...countOf(
      "hooks",
      hooks.rows.filter(({ secretLostSince }) => secretLostSince !== null),
    ),
  };
}

/** @param more loads the rest of the list, if it is longer */
function countOf(section: keyof typeof texts, { length }: unknown[], more?: unknown): Counts {
  return length === 0
    ? {}
    : { [section]: { shown: `${length.toLocaleString()}${more ? "+" : ""}`, of: texts[section] } };
}
