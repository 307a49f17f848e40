/** Rows of schema audit, as the report prints them. */
import type { LogState } from "./audit-log-state.ts";

export type Finding = {
  finding: string;
  severity: string;
  rule: string;
  object: string;
  what: string;
  expected: string | null;
  actual: string | null;
  why: string;
  remedy: string;
};
export type Accepted = {
  finding: string;
  object: string;
  what: string;
  accepted_by: string;
  accepted_at: Date;
  reason: string | null;
};
export type Unseen = { what: string; how: string };
export type Elsewhere = { kind: string; name: string };
export type Exception = { rule: string; object: string; detail: string | null; reason: string };
export type Role = { name: string; purpose: string; logs_in: boolean; settings: Record<string, string> };
export type Policy = {
  table_name: string;
  policy: string;
  command: string;
  role: string;
  permissive: boolean;
  comment: string | null;
  rows_it_shows: string | null;
  rows_it_takes: string | null;
};
export type DefinerFunction = { function: string; runs_as: string; executed_by: string[]; instead: string | null };
export type Grant = {
  role: string;
  kind: string;
  object: string;
  privilege: string;
  columns: string[] | null;
  through: string;
};
export type Exposure = {
  organisation_id: string;
  member_role: string | null;
  key_prefix: string | null;
  scope: string | null;
  key_state: string;
  table_name: string | null;
  command: string;
  rows: string | null;
  policies: string[];
};

export type Audit = {
  database: string;
  at: Date;
  findings: Finding[];
  log: LogState;
  accepted?: Accepted[];
  unseen?: Unseen[];
  elsewhere?: Elsewhere[];
  exceptions?: Exception[];
  roles?: Role[];
  policies?: Policy[];
  definer_functions?: DefinerFunction[];
  grants?: Grant[];
  exposure?: Exposure[];
};
