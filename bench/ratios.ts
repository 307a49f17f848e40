/** Ratios of figures, single figures, and their targets. */
import { inBatch } from "./rows.ts";

/**
 * `of` divided by `by`, both ids of figures, or `of` alone. `worth` is how many calls of `by` one call of `of` replaces.
 * `minimum` is the result of the first prototype, `target` the goal. For times, lower is better.
 */
export type Ratio = {
  label: string;
  of: string;
  by?: string;
  figure?: "p50" | "p95" | "p99";
  worth?: number;
  minimum?: number;
  target?: number;
};

export const ratios: Ratio[] = [
  { label: "GET one / Express + `select 1` through a pool", of: "get", by: "select", minimum: 0.72, target: 0.9 },
  { label: "GET one / bare stack", of: "get", by: "get-bare", minimum: 0.95, target: 1 },
  { label: "GET one / dispatcher by pgbench", of: "get", by: "get-sql" },
  { label: "GET one / Better Auth", of: "get", by: "get-better-auth", minimum: 12.7, target: 15 },
  { label: "list 50 / bare stack", of: "list", by: "list-bare", minimum: 0.68, target: 0.95 },
  { label: "list 50 / dispatcher by pgbench", of: "list", by: "list-sql" },
  { label: "list 50 / PostGraphile", of: "list", by: "list-postgraphile", minimum: 2.8, target: 3 },
  { label: "POST / bare stack", of: "post", by: "post-bare", target: 0.9 },
  { label: "POST by one organisation, per second", of: "post-one", target: 2_500 },
  {
    label: "POST without the audit log / bare stack",
    of: "post-without-audit-log",
    by: "post-bare",
    minimum: 0.71,
    target: 0.8,
  },
  { label: "POST / dispatcher by pgbench", of: "post", by: "post-sql", minimum: 0.89, target: 0.9 },
  { label: "members / bare stack", of: "members", by: "members-bare" },
  { label: "members / Better Auth by a key", of: "members", by: "members-better-auth", minimum: 14.2, target: 15 },
  { label: "members / Better Auth by a session", of: "members", by: "members-better-auth-session" },
  { label: `${inBatch} creates in a batch / ${inBatch} calls`, of: "batch", by: "post", worth: inBatch, target: 6 },
  {
    label: "deliveries with recorded outcome / bare loop of POSTs",
    of: "drain",
    by: "posts",
    minimum: 0.39,
    target: 0.5,
  },
  { label: "commit to arrival, p50 in ms (maximum)", of: "arrival", figure: "p50", target: 5 },
  { label: "commit to arrival, p99 in ms (maximum)", of: "arrival", figure: "p99", target: 15 },
  {
    label: "commit to arrival, p95: with a hanging endpoint / quiet (maximum)",
    of: "with-hanging",
    by: "arrival",
    figure: "p95",
    target: 2,
  },
  { label: "run started / POST", of: "run", by: "post", target: 0.7 },
];
