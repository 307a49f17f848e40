/** The rows of the table: what is asked, of whom, and which figure is divided by which. */
import { fewFinished } from "./claims.ts";
import type { ContestantName } from "./contest.ts";
import type { Data, Target } from "./data.ts";
import type { Delivery } from "./deliveries/measure.ts";
import type { Request } from "./load.ts";
import type { Call } from "./pgbench.ts";
import type { Triggers } from "./triggers.ts";

/** One figure: a load on a contestant, pgbench on the dispatcher, deliveries, or claims among so many finished runs. */
export type Figure = {
  row: "ground" | "get" | "list" | "post" | "members" | "batch" | "deliveries" | "runs";
  id: string;
  label: string;
  /** Triggers on claims that are off meanwhile. */
  without?: Triggers;
} & (
  | { contestant: ContestantName; requests: Request[] }
  | { call: Call }
  | { delivery: Delivery }
  | { finished: number }
);

/**
 * `of` divided by `by`, both ids of figures; what it must reach now, and what we aim at. One of `of` may be worth several
 * of `by`. Where a time is divided, less is better.
 */
export type Ratio = {
  label: string;
  of: string;
  by: string;
  figure?: "p50" | "p95";
  worth?: number;
  least?: number;
  aim?: number;
};

const kept = { "idempotency-key": "[<id>]", "content-type": "application/json" };

const claim = {
  scope: "organisation",
  kind: "decision",
  subject: "Release of spring",
  value: "The next release ships on the second Tuesday of the month, after the harbour office has confirmed.",
};
const claimAdmitted = { ...claim, subjectKind: "organisation", confidence: 1, lawfulBasis: "legitimate_interests" };
/** As many as a batch may hold. */
const inBatch = 50;
const page = { limit: 50, list: "00000000" };

export function figures({ targets, memories }: Data): Figure[] {
  const each = (request: (target: Target) => Request) => targets.map(request);
  const get = (path: string): Request[] => [{ method: "GET", path }];
  const bearer = (target: Target) => ({ authorization: `Bearer ${target.bearer}` });
  const body = JSON.stringify(claim);
  const operations = Array.from({ length: inBatch }, () => ({ method: "POST", path: "/memories", body: claim }));
  const call = (operation: string, input: (target: Target) => object, keyed = false): { call: Call } => ({
    call: { operation, inputs: targets.map(input), keyed },
  });
  return [
    { row: "ground", id: "node", label: "node:http, hello", contestant: "ground", requests: get("/node") },
    { row: "ground", id: "express", label: "Express, hello", contestant: "ground", requests: get("/express") },
    {
      row: "ground",
      id: "client",
      label: "Express + `select 1`, one pipelined client",
      contestant: "ground",
      requests: get("/client"),
    },
    {
      row: "get",
      id: "select",
      label: "Express + `select 1` through a pool",
      contestant: "ground",
      requests: get("/pool"),
    },
    {
      row: "get",
      id: "get-bare",
      label: "GET one, bare stack",
      contestant: "bare",
      requests: each((to) => ({ method: "GET", path: `/${to.organisationId}/memories/${to.memoryId}` })),
    },
    {
      row: "get",
      id: "get",
      label: "**GET one, Botstead**",
      contestant: "botstead",
      requests: each((to) => ({ method: "GET", path: `/api/v1/memories/${to.memoryId}`, headers: bearer(to) })),
    },
    {
      row: "get",
      id: "get-sql",
      label: "GET one, dispatcher by pgbench",
      ...call("get_memory", (to) => ({ id: to.memoryId })),
    },
    {
      row: "list",
      id: "list-bare",
      label: "list 50, bare stack",
      contestant: "bare",
      requests: each((to) => ({ method: "GET", path: `/${to.organisationId}/memories?limit=50` })),
    },
    {
      row: "list",
      id: "list",
      label: "**list 50, Botstead**",
      contestant: "botstead",
      requests: each((to) => ({ method: "GET", path: "/api/v1/memories?limit=50", headers: bearer(to) })),
    },
    { row: "list", id: "list-sql", label: "list 50, dispatcher by pgbench", ...call("list_memories", () => page) },
    {
      row: "post",
      id: "post-bare",
      label: "POST, bare stack (two inserts)",
      without: "none",
      contestant: "bare",
      requests: each((to) => ({
        method: "POST",
        path: `/${to.organisationId}/${to.personId}/memories`,
        headers: kept,
        body,
      })),
    },
    {
      row: "post",
      id: "post",
      label: "**POST, Botstead**",
      contestant: "botstead",
      requests: each((to) => ({ method: "POST", path: "/api/v1/memories", headers: { ...kept, ...bearer(to) }, body })),
    },
    {
      row: "post",
      id: "post-untold",
      label: "POST, Botstead without the trail",
      without: "trail",
      contestant: "botstead",
      requests: each((to) => ({ method: "POST", path: "/api/v1/memories", headers: { ...kept, ...bearer(to) }, body })),
    },
    {
      row: "post",
      id: "post-sql",
      label: "POST, dispatcher by pgbench",
      ...call("create_memory", () => claimAdmitted, true),
    },
    {
      row: "members",
      id: "members-bare",
      label: "members, bare stack",
      contestant: "bare",
      requests: each((to) => ({ method: "GET", path: `/${to.organisationId}/members?limit=50` })),
    },
    {
      row: "members",
      id: "members",
      label: "**members, Botstead**",
      contestant: "botstead",
      requests: each((to) => ({ method: "GET", path: "/api/v1/members?limit=50", headers: bearer(to) })),
    },
    {
      row: "batch",
      id: "batch",
      label: `**batch of ${inBatch} creates, Botstead** (batches)`,
      contestant: "botstead",
      requests: each((to) => ({
        method: "POST",
        path: "/api/v1/batch",
        headers: { ...kept, ...bearer(to) },
        body: JSON.stringify({ operations }),
      })),
    },
    { row: "deliveries", id: "posts", label: "posts, bare loop", delivery: "posts" },
    { row: "deliveries", id: "drain", label: "**deliveries, 10,000 pending drained**", delivery: "drain" },
    { row: "deliveries", id: "arrival", label: "**deliveries, commit to arrival**", delivery: "arrival" },
    {
      row: "deliveries",
      id: "beside-silent",
      label: "**the same beside 10,000 pending at an endpoint that hangs**",
      delivery: "beside silent",
    },
    {
      row: "runs",
      id: "run",
      label: "**run started, Botstead**",
      contestant: "botstead",
      requests: each((to) => ({
        method: "POST",
        path: "/api/v1/runs",
        headers: { ...kept, ...bearer(to) },
        body: JSON.stringify({ botId: to.botId, message: "When does the next release ship?" }),
      })),
    },
    ...[fewFinished, memories].map(
      (finished): Figure => ({
        row: "runs",
        id: finished === fewFinished ? "claim-few" : "claim-many",
        label: `**claim among ${finished.toLocaleString("en")} finished runs**, one connection`,
        finished,
      }),
    ),
  ];
}

export const ratios: Ratio[] = [
  { label: "GET one / Express + `select 1` through a pool", of: "get", by: "select", least: 0.72, aim: 0.8 },
  { label: "GET one / bare stack", of: "get", by: "get-bare", least: 0.95, aim: 0.95 },
  { label: "GET one / dispatcher by pgbench", of: "get", by: "get-sql" },
  { label: "list 50 / bare stack", of: "list", by: "list-bare", least: 0.68, aim: 0.85 },
  { label: "list 50 / dispatcher by pgbench", of: "list", by: "list-sql" },
  { label: "POST / bare stack", of: "post", by: "post-bare", aim: 0.65 },
  { label: "POST without the trail / bare stack", of: "post-untold", by: "post-bare", least: 0.71, aim: 0.8 },
  { label: "POST / dispatcher by pgbench", of: "post", by: "post-sql", least: 0.89, aim: 0.9 },
  { label: "members / bare stack", of: "members", by: "members-bare" },
  { label: `${inBatch} creates in a batch / ${inBatch} calls`, of: "batch", by: "post", worth: inBatch, aim: 5 },
  { label: "deliveries, outcome recorded / bare loop of posts", of: "drain", by: "posts", least: 0.39, aim: 0.45 },
  {
    label: "commit to arrival, p95: beside one that hangs / quiet (at most)",
    of: "beside-silent",
    by: "arrival",
    figure: "p95",
    aim: 2,
  },
  { label: "run started / POST", of: "run", by: "post" },
  {
    label: "a claim's p50: among many finished runs / among 10,000 (at most)",
    of: "claim-many",
    by: "claim-few",
    figure: "p50",
    aim: 1.1,
  },
];
