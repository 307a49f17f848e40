/** Which figure is divided by which, which stands by itself, and what is to be reached. */
import { inBatch } from "./rows.ts";

/**
 * `of` divided by `by`, both ids of figures, or `of` itself; what it must reach now, and what we aim at. One of `of` may be
 * worth several of `by`. Of a time less is better.
 */
export type Ratio = {
  label: string;
  of: string;
  by?: string;
  figure?: "p50" | "p95" | "p99";
  worth?: number;
  least?: number;
  aim?: number;
};

export const ratios: Ratio[] = [
  { label: "GET one / Express + `select 1` through a pool", of: "get", by: "select", least: 0.72, aim: 0.8 },
  { label: "GET one / bare stack", of: "get", by: "get-bare", least: 0.95, aim: 0.95 },
  { label: "GET one / dispatcher by pgbench", of: "get", by: "get-sql" },
  { label: "GET one / Better Auth", of: "get", by: "get-better-auth", least: 12.7, aim: 15 },
  { label: "list 50 / bare stack", of: "list", by: "list-bare", least: 0.68, aim: 0.85 },
  { label: "list 50 / dispatcher by pgbench", of: "list", by: "list-sql" },
  { label: "list 50 / PostGraphile", of: "list", by: "list-postgraphile", least: 2.8, aim: 3 },
  { label: "POST / bare stack", of: "post", by: "post-bare", aim: 0.65 },
  { label: "POST without the trail / bare stack", of: "post-untold", by: "post-bare", least: 0.71, aim: 0.8 },
  { label: "POST / dispatcher by pgbench", of: "post", by: "post-sql", least: 0.89, aim: 0.9 },
  { label: "members / bare stack", of: "members", by: "members-bare" },
  { label: "members / Better Auth by a key", of: "members", by: "members-better-auth", least: 14.2, aim: 15 },
  { label: "members / Better Auth by a session", of: "members", by: "members-better-auth-session" },
  { label: `${inBatch} creates in a batch / ${inBatch} calls`, of: "batch", by: "post", worth: inBatch, aim: 5 },
  { label: "deliveries, outcome recorded / bare loop of posts", of: "drain", by: "posts", least: 0.39, aim: 0.45 },
  { label: "commit to arrival, p50 in ms (at most)", of: "arrival", figure: "p50", aim: 2 },
  { label: "commit to arrival, p99 in ms (at most)", of: "arrival", figure: "p99", aim: 10 },
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
