/** Reads the metrics and labels of a PromQL expression, with the grammar that Prometheus' own pages use. */
import { parser } from "@prometheus-io/lezer-promql";

export type PromqlReferences = {
  /** Metrics, with the labels that the expression matches. */
  metrics: { name: string; labels: Record<string, string> }[];
  /** Labels of `by` and similar clauses. */
  grouped: string[];
  /** Of each aggregation, such as `max`: the labels that it keeps. */
  kept: string[][];
};

/** @throws Error if the expression cannot be parsed */
export function readPromql(expression: string): PromqlReferences {
  const text = expression.replaceAll("$__rate_interval", "5m");
  const found: PromqlReferences = { metrics: [], grouped: [], kept: [] };
  const of = ({ from, to }: { from: number; to: number }) => text.slice(from, to);
  let grouping = 0;
  parser.parse(text).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`not understood at ${node.from}: ${text}`);
      if (node.name === "GroupingLabels") grouping += 1;
      if (node.name === "AggregateExpr") {
        const modifier = node.node.getChild("AggregateModifier");
        const labels = modifier?.getChild("By") ? modifier.getChild("GroupingLabels")?.getChildren("LabelName") : [];
        found.kept.push((labels ?? []).map(of));
      }
      if (node.name === "LabelName" && grouping > 0) found.grouped.push(of(node));
      if (node.name !== "VectorSelector") return;
      const name = node.node.getChild("Identifier");
      const labels: Record<string, string> = {};
      for (const matcher of node.node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? []) {
        const [label, value] = [matcher.getChild("LabelName"), matcher.getChild("StringLiteral")];
        if (label && value) labels[of(label)] = JSON.parse(of(value));
      }
      if (name) found.metrics.push({ name: of(name), labels });
    },
    leave(node) {
      if (node.name === "GroupingLabels") grouping -= 1;
    },
  });
  return found;
}
