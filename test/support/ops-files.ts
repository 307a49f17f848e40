/** Expressions of dashboards and alerts in ops/, each with its location. */
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";

export const readOps = (file: string): string => readFileSync(new URL(`../../ops/${file}`, import.meta.url), "utf8");

type Target = { expr?: string; rawSql?: string; legendFormat?: string };
export type Panel = {
  id: number;
  title: string;
  type: string;
  description?: string;
  gridPos: Record<"x" | "y" | "w" | "h", number>;
  targets?: Target[];
};
export type Board = {
  /** In ops/grafana, without the suffix. */
  file: string;
  panels: Panel[];
  templating: { list: { name: string; query: unknown }[] };
  annotations: { list: { expr: string }[] };
};
export type Rule = {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
};

export const boards: Board[] = readdirSync(new URL("../../ops/grafana", import.meta.url)).map((name) => ({
  ...JSON.parse(readOps(`grafana/${name}`)),
  file: name.replace(".json", ""),
}));
export const rules = (): Rule[] =>
  (parse(readOps("alerts.yml")).groups as { rules: Rule[] }[]).flatMap((group) => group.rules);

export type Expression = {
  where: string;
  expr: string;
  /** Names in {{…}} of the texts beside it. */
  shown: string[];
};

const namesIn = (text: string) =>
  [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, name = ""]) => name);

/** Of the boards: PromQL. */
export const boardExpressions = (): Expression[] =>
  boards.flatMap(({ file, panels }) =>
    panels.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr, legendFormat = "" }) =>
        expr ? [{ where: `${file}: ${title}`, expr, shown: namesIn(legendFormat) }] : [],
      ),
    ),
  );

/** Of the boards: SQL. */
export const boardStatements = (): { where: string; sql: string }[] =>
  boards.flatMap(({ file, panels }) =>
    panels.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ rawSql }) => (rawSql ? [{ where: `${file}: ${title}`, sql: rawSql }] : [])),
    ),
  );

export const alertExpressions = (): Expression[] =>
  rules().map(({ alert, expr, annotations }) => ({ where: alert, expr, shown: namesIn(annotations.summary) }));

export const expressions = (): Expression[] => [...boardExpressions(), ...alertExpressions()];
