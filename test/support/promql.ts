/** What an expression of Prometheus asks for: read by the grammar that Prometheus' own pages use. */
import { parser } from "@prometheus-io/lezer-promql";

export type Asked = {
  /** By metric, the labels that are matched on it. */
  metrics: { name: string; labels: Record<string, string> }[];
  /** Labels by which something is grouped. */
  grouped: string[];
};

/** @throws Error when it is not understood */
export function readPromql(expression: string): Asked {
  const text = expression.replaceAll("$__rate_interval", "5m");
  const asked: Asked = { metrics: [], grouped: [] };
  const of = ({ from, to }: { from: number; to: number }) => text.slice(from, to);
  let grouping = 0;
  parser.parse(text).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`not understood at ${node.from}: ${text}`);
      if (node.name === "GroupingLabels") grouping += 1;
      if (node.name === "LabelName" && grouping > 0) asked.grouped.push(of(node));
      if (node.name !== "VectorSelector") return;
      const name = node.node.getChild("Identifier");
      const labels: Record<string, string> = {};
      for (const matcher of node.node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? []) {
        const [label, value] = [matcher.getChild("LabelName"), matcher.getChild("StringLiteral")];
        if (label && value) labels[of(label)] = JSON.parse(of(value));
      }
      if (name) asked.metrics.push({ name: of(name), labels });
    },
    leave(node) {
      if (node.name === "GroupingLabels") grouping -= 1;
    },
  });
  return asked;
}
