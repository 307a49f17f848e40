/** Which columns of a row the triggers before an update may change. */
import type { Catalogue, Table } from "./catalogue.ts";
import { plpgsqlOf, type Tree } from "./parse.ts";

/** `any` if a trigger assigns the whole row, or is not understood. */
export function changedByTriggers(catalogue: Catalogue, table: Table): Set<string> | "any" {
  const columns = new Set<string>();
  for (const trigger of catalogue.triggers) {
    if (trigger.table !== table.name || !trigger.before || !trigger.commands.includes("update")) continue;
    const definition = catalogue.functions.find(({ identity }) => identity === trigger.function)?.definition;
    const changed = definition ? assigned(definition) : "any";
    if (changed === "any") return "any";
    for (const column of changed) columns.add(column);
  }
  return columns;
}

function assigned(definition: string): string[] | "any" {
  const columns: string[] = [];
  let isAny = false;
  const inspect = (tree: Tree): void => {
    if (Array.isArray(tree)) for (const one of tree) inspect(one);
    if (tree === null || typeof tree !== "object") return;
    for (const [name, node] of Object.entries<Tree>(tree)) {
      if (name === "PLpgSQL_stmt_assign") {
        const [, column] = /^\s*new\s*\.\s*(\w+)/i.exec(node.expr?.PLpgSQL_expr?.query ?? "") ?? [];
        if (column) columns.push(column.toLowerCase());
        else if (/^\s*new\b/i.test(node.expr?.PLpgSQL_expr?.query ?? "")) isAny = true;
      }
      // `into new.column` and `return record` also write the row.
      if (
        name === "PLpgSQL_stmt_return" &&
        !/^\s*(new|old|null|coalesce\(new, old\))?\s*$/i.test(node.expr?.PLpgSQL_expr?.query ?? "")
      )
        isAny = true;
      inspect(node);
    }
  };
  try {
    inspect(plpgsqlOf(definition));
  } catch {
    return "any";
  }
  const into = [...definition.matchAll(/\binto\s+(?:strict\s+)?([^;]*)/gi)].flatMap(([, targets = ""]) => [
    ...targets.matchAll(/\bnew\s*(?:\.\s*(\w+))?/gi),
  ]);
  for (const [, column] of into) {
    if (column) columns.push(column.toLowerCase());
  }
  return isAny ? "any" : columns;
}
