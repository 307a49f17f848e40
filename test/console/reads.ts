/** The rows that executed plans have read, by table and index. */
import type { PlanNode } from "../support/saved-queries.ts";

export type Read = { table: string; by: string; rows: number };

export function readsOf(nodes: PlanNode[], table = ""): Read[] {
  return nodes.flatMap((node) => {
    const relation = node["Relation Name"] ?? table;
    const index = node["Index Name"];
    const further = readsOf(node.Plans ?? [], node["Node Type"] === "Bitmap Heap Scan" ? relation : "");
    if (node["Node Type"] === "Bitmap Index Scan" || (!index && !node["Relation Name"])) return further;
    const rowsPerLoop =
      node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
    return [{ table: relation, by: index ?? node["Node Type"], rows: rowsPerLoop * node["Actual Loops"] }, ...further];
  });
}
