/** Items that need attention, on the overview, within the rights of the session. */
import { useOne } from "../parts/api.ts";
import { useList } from "../parts/list.ts";
import { Section } from "../parts/page.tsx";
import {
  billingItems,
  countItems,
  deletionItems,
  endpointItems,
  hookItems,
  type Item,
  keyItems,
  limitItems,
  routineItems,
  streamItems,
} from "./attention-items.ts";
import type { LimitRow } from "./limits.tsx";
import { useAll } from "./read-all.ts";
import { isPostponed } from "./run-wait.tsx";
import type { Schemas } from "./schemas.ts";
import { useMay } from "./session-context.ts";
import { overviewTexts } from "./texts/overview.ts";

const texts = overviewTexts.attention;

/** Queued runs that cannot start, because no executor is alive for the model of their bot. */
function useStuckRuns(): { rows: Schemas["Run"][]; more: unknown } {
  const may = useMay();
  const { rows, more } = useList<Schemas["Run"]>(may("list_runs") ? "/runs" : null, { state: "queued", limit: 100 });
  const mayTell = rows.length > 0 && may("list_bots") && may("list_models");
  const bots = useAll<Schemas["Bot"]>(mayTell ? "/bots" : null);
  const models = useOne<Schemas["ModelList"]>(mayTell ? "/models" : null).data?.data;
  if (!models) return { rows: [], more: undefined };
  const served = new Set(models.filter(({ available }) => available).map(({ id }) => id));
  const unserved = new Set(bots.filter(({ model }) => !served.has(model)).map(({ id }) => id));
  return { rows: rows.filter((run) => unserved.has(run.botId) && !isPostponed(run)), more };
}

type Props = { endpoints: Schemas["Webhook"][]; limits: LimitRow[]; hasStream: boolean };

export function Attention({ endpoints, limits, hasStream }: Props) {
  const may = useMay();
  const unless = (operation: string, path: string) => (may(operation) ? path : null);
  const { data: organisation } = useOne<Schemas["OwnOrganisation"]>(unless("get_own_organisation", "/organisation"));
  const approvals = useList(unless("list_approvals", "/approvals"), { state: "pending", limit: 100 });
  const blocked = useList(unless("list_runs", "/runs"), { state: "blocked", limit: 100 });
  const stuck = useStuckRuns();
  const keys = useAll<Schemas["Key"]>(unless("list_keys", "/keys"), { state: "live" });
  const routines = useAll<Schemas["Routine"]>(unless("list_routines", "/routines"));
  const hooks = useAll<Schemas["Hook"]>(unless("list_hooks", "/hooks"));
  const { data: stream } = useOne<Schemas["AuditStream"]>(
    hasStream ? unless("get_audit_stream", "/audit/stream") : null,
  );
  const items: Item[] = [
    ...(organisation ? [...deletionItems(organisation), ...billingItems(organisation)] : []),
    ...endpoints.flatMap(endpointItems),
    ...(stream ? streamItems(stream) : []),
    ...countItems(approvals, "/portal/approvals?state=pending", texts.approvals),
    ...countItems(stuck, "/portal/runs?state=queued", texts.stuck).map((item) => ({ ...item, isBad: true })),
    ...countItems(blocked, "/portal/runs?state=blocked", texts.blocked),
    ...routines.flatMap(routineItems),
    ...hooks.flatMap(hookItems),
    ...keys.flatMap(keyItems),
    ...limits.flatMap(limitItems),
  ].toSorted((a, b) => Number(b.isBad ?? false) - Number(a.isBad ?? false));
  return (
    <Section title={texts.title}>
      {items.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <ul class="attention">
          {items.map(({ href, text, isBad }) => (
            <li key={text + href} class={isBad ? "bad" : "warn"}>
              {href ? <a href={href}>{text}</a> : text}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
