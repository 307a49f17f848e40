/** Faults in policies, made from the catalogue: each removes or weakens one condition of one policy. */
import type { Catalogue } from "../../src/prove/catalogue.ts";
import { expressionOf, nodeOf, type Tree, textOfExpression } from "../../src/prove/parse.ts";

export type PolicyFault = {
  table: string;
  policy: string;
  side: "using" | "check";
  what: string;
  statement: string;
  undo: string;
};

/** The policies of owner are made from one text, so only one of them has each kind of fault. */
const common = "organisation_id = COALESCE(( SELECT caller.organisation_id() AS organisation_id), organisation_id)";

export function faultsOfPolicies({ tables }: Catalogue): PolicyFault[] {
  let isFirst = true;
  return tables.flatMap(({ name: table, policies }) =>
    policies.flatMap(({ name: policy, using, check }) =>
      (["using", "check"] as const).flatMap((side) => {
        const text = side === "using" ? using : check;
        const alter = (condition: string) =>
          `alter policy ${policy} on ${table} ${side === "using" ? "using" : "with check"} (${condition})`;
        const all = weakened(text);
        const faults = text?.includes(common) && !isFirst ? all.slice(0, 1) : all;
        if (text?.includes(common)) isFirst = false;
        return faults.map(([what, condition]) => ({
          ...{ table, policy, side, what },
          ...{ statement: alter(condition), undo: alter(text ?? "true") },
        }));
      }),
    ),
  );
}

/** Each way to weaken a condition, with the weaker condition. */
function weakened(text: string | null): [string, string][] {
  if (text === null || text === "true") return [];
  return variants(expressionOf(text)).map(([what, tree]) => [what, textOfExpression(tree)]);
}

const always: Tree = { NullTest: { arg: { A_Const: { sval: { sval: "always" } } }, nulltesttype: "IS_NOT_NULL" } };

function variants(tree: Tree): [string, Tree][] {
  const [kind, node] = nodeOf(tree);
  if (kind === "BoolExpr" && node.boolop !== "NOT_EXPR") {
    const args: Tree[] = node.args;
    const without = args.map((arg, place): [string, Tree] => [
      `without ${textOfExpression(arg)}`,
      node.boolop === "AND_EXPR" ? { BoolExpr: { ...node, args: args.filter((_, other) => other !== place) } } : always,
    ]);
    const inside = args.flatMap((arg, place) =>
      variants(arg).map(([what, changed]): [string, Tree] => [
        what,
        { BoolExpr: { ...node, args: args.map((other, at) => (at === place ? changed : other)) } },
      ]),
    );
    return [
      ...(node.boolop === "AND_EXPR" ? without : without.slice(0, 1)).map(unwrapped),
      ...inside.filter(([what]) => !what.startsWith("without ")),
    ];
  }
  if (kind === "A_Expr" && node.kind === "AEXPR_OP" && node.name[0].String.sval === "=") {
    // A constant is not null, so it would be the same condition.
    const hasConstant = [node.lexpr, node.rexpr].some((side) => nodeOf(side.TypeCast?.arg ?? side)[0] === "A_Const");
    return [
      [`without ${textOfExpression(tree)}`, always],
      ...(hasConstant
        ? []
        : [
            [`also null: ${textOfExpression(tree)}`, { A_Expr: { ...node, kind: "AEXPR_NOT_DISTINCT" } }] as [
              string,
              Tree,
            ],
          ]),
    ];
  }
  return [[`without ${textOfExpression(tree)}`, always]];
}

/** `and` of one condition is the condition. */
const unwrapped = ([what, tree]: [string, Tree]): [string, Tree] => [
  what,
  tree.BoolExpr?.args.length === 1 ? tree.BoolExpr.args[0] : tree,
];
