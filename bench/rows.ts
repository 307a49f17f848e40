/** The rows of the results table: requests and systems. */

import { alternatives } from "./alternatives.ts";
import type { Data, Target } from "./data.ts";
import type { Figure } from "./figure.ts";
import type { Request } from "./load.ts";
import type { Call } from "./pgbench.ts";

export const writeHeaders = { "idempotency-key": "[<id>]", "content-type": "application/json" };

const memory = {
  scope: "organisation",
  kind: "decision",
  subject: "Release of spring",
  value: "The next release ships on the second Tuesday of the month, after the harbour office has confirmed.",
};
export const memoryBody = JSON.stringify(memory);
export const memoryInput = {
  ...memory,
  subjectKind: "organisation",
  confidence: 1,
  lawfulBasis: "legitimate_interests",
};
export const runRequest = ({ botId }: Pick<Target, "botId">) =>
  JSON.stringify({ botId, message: "When does the next release ship?" });
/** The maximum number of operations in a batch. */
export const inBatch = 50;
const page = { limit: 50, list: "00000000" };

export function figures({ targets }: Data): Figure[] {
  const each = (request: (target: Target) => Request) => targets.map(request);
  const others = alternatives(targets);
  const get = (path: string): Request[] => [{ method: "GET", path }];
  const bearer = (target: Target) => ({ authorization: `Bearer ${target.bearer}` });
  const body = memoryBody;
  const posts = each((to) => ({
    method: "POST",
    path: "/api/v1/memories",
    headers: { ...writeHeaders, ...bearer(to) },
    body,
  }));
  const operations = Array.from({ length: inBatch }, () => ({ method: "POST", path: "/memories", body: memory }));
  const call = (operation: string, input: (target: Target) => object, keyed = false): { call: Call } => ({
    call: { operation, inputs: targets.map(input), keyed },
  });
  return [
    { row: "baseline", id: "node", label: "node:http, hello", system: "baseline", requests: get("/node") },
    { row: "baseline", id: "express", label: "Express, hello", system: "baseline", requests: get("/express") },
    {
      row: "baseline",
      id: "client",
      label: "Express + `select 1`, one pipelined client",
      system: "baseline",
      requests: get("/client"),
    },
    {
      row: "get",
      id: "select",
      label: "Express + `select 1` through a pool",
      system: "baseline",
      requests: get("/pool"),
    },
    {
      row: "get",
      id: "get-bare",
      label: "GET one, bare stack",
      system: "bare",
      requests: each((to) => ({ method: "GET", path: `/${to.organisationId}/memories/${to.memoryId}` })),
    },
    {
      row: "get",
      id: "get",
      label: "**GET one, Botstead**",
      system: "botstead",
      requests: each((to) => ({ method: "GET", path: `/api/v1/memories/${to.memoryId}`, headers: bearer(to) })),
    },
    {
      row: "get",
      id: "get-sql",
      label: "GET one, dispatcher by pgbench",
      ...call("get_memory", (to) => ({ id: to.memoryId })),
    },
    ...others.get,
    {
      row: "list",
      id: "list-bare",
      label: "list 50, bare stack",
      system: "bare",
      requests: each((to) => ({ method: "GET", path: `/${to.organisationId}/memories?limit=50` })),
    },
    {
      row: "list",
      id: "list",
      label: "**list 50, Botstead**",
      system: "botstead",
      requests: each((to) => ({ method: "GET", path: "/api/v1/memories?limit=50", headers: bearer(to) })),
    },
    { row: "list", id: "list-sql", label: "list 50, dispatcher by pgbench", ...call("list_memories", () => page) },
    ...others.list,
    {
      row: "post",
      id: "post-bare",
      label: "POST, bare stack (two inserts)",
      without: "all-but-search",
      system: "bare",
      requests: each((to) => ({
        method: "POST",
        path: `/${to.organisationId}/${to.personId}/memories`,
        headers: writeHeaders,
        body,
      })),
    },
    {
      row: "post",
      id: "post",
      label: "**POST, Botstead**",
      system: "botstead",
      requests: posts,
    },
    {
      row: "post",
      id: "post-one",
      label: "**POST by one organisation, Botstead**",
      system: "botstead",
      requests: posts.filter((_, place) => targets[place]?.organisationId === targets[0]?.organisationId),
    },
    {
      row: "post",
      id: "post-without-audit-log",
      label: "POST, Botstead without the audit log",
      without: "audit-log",
      system: "botstead",
      requests: posts,
    },
    {
      row: "post",
      id: "post-sql",
      label: "POST, dispatcher by pgbench",
      ...call("create_memory", () => memoryInput, true),
    },
    {
      row: "members",
      id: "members-bare",
      label: "members, bare stack",
      system: "bare",
      requests: each((to) => ({ method: "GET", path: `/${to.organisationId}/members?limit=50` })),
    },
    {
      row: "members",
      id: "members",
      label: "**members, Botstead**",
      system: "botstead",
      requests: each((to) => ({ method: "GET", path: "/api/v1/members?limit=50", headers: bearer(to) })),
    },
    ...others.members,
    {
      row: "batch",
      id: "batch",
      label: `**batch of ${inBatch} creates, Botstead** (batches)`,
      system: "botstead",
      requests: each((to) => ({
        method: "POST",
        path: "/api/v1/batch",
        headers: { ...writeHeaders, ...bearer(to) },
        body: JSON.stringify({ operations }),
      })),
    },
    { row: "deliveries", id: "posts", label: "bare loop of POSTs", delivery: "posts" },
    { row: "deliveries", id: "drain", label: "**deliveries, 10,000 pending drained**", delivery: "drain" },
    { row: "deliveries", id: "arrival", label: "**deliveries, commit to arrival**", delivery: "arrival" },
    {
      row: "deliveries",
      id: "with-hanging",
      label: "**the same with 10,000 pending at a hanging endpoint**",
      delivery: "with hanging",
    },
    {
      row: "runs",
      id: "run",
      label: "**run started, Botstead**",
      system: "botstead",
      requests: each((to) => ({
        method: "POST",
        path: "/api/v1/runs",
        headers: { ...writeHeaders, ...bearer(to) },
        body: runRequest(to),
      })),
    },
  ];
}
