/** Expressions of dashboards and alerts in ops/, each with its location. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

export const readOps = (file: string): string => readFileSync(new URL(`../../ops/${file}`, import.meta.url), "utf8");

type Panel = { title: string; type: string; targets?: { expr: string; legendFormat: string }[] };
export type Rule = {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string };
};

export const panels = (): Panel[] => JSON.parse(readOps("grafana-board.json")).panels;
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

export function expressions(): Expression[] {
  return [
    ...panels().flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, legendFormat }) => ({ where: `board: ${title}`, expr, shown: namesIn(legendFormat) })),
    ),
    ...rules().map(({ alert, expr, annotations }) => ({ where: alert, expr, shown: namesIn(annotations.summary) })),
  ];
}
