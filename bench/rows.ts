/** The rows of the table: what is asked, and of whom. */
import { fewFinished } from "./claims.ts";
import type { Data, Target } from "./data.ts";
import type { Figure } from "./figure.ts";
import type { Request } from "./load.ts";
import { peers } from "./peers.ts";
import type { Call } from "./pgbench.ts";

export const kept = { "idempotency-key": "[<id>]", "content-type": "application/json" };

const claim = {
  scope: "organisation",
  kind: "decision",
  subject: "Release of spring",
  value: "The next release ships on the second Tuesday of the month, after the harbour office has confirmed.",
};
export const claimPosted = JSON.stringify(claim);
export const claimAdmitted = {
  ...claim,
  subjectKind: "organisation",
  confidence: 1,
  lawfulBasis: "legitimate_interests",
};
/** As many as a batch may hold. */
export const inBatch = 50;
const page = { limit: 50, list: "00000000" };

export function figures({ targets, memories }: Data): Figure[] {
  const each = (request: (target: Target) => Request) => targets.map(request);
  const beside = peers(targets);
  const get = (path: string): Request[] => [{ method: "GET", path }];
  const bearer = (target: Target) => ({ authorization: `Bearer ${target.bearer}` });
  const body = claimPosted;
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
    ...beside.get,
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
    ...beside.list,
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
    ...beside.members,
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
