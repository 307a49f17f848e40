/** Where an expression stands: the names that it can use, and the role whose policies apply to what it reads. */
import type { Catalogue, Command } from "./catalogue.ts";
import type { Tree } from "./parse.ts";
import type { Problem, Row } from "./problem.ts";
import type { Truth, Value } from "./terms.ts";

export type Environment = {
  problem: Problem;
  catalogue: Catalogue;
  /** The role whose policies apply to tables in sub-selects. */
  role: string;
  /** Rows by alias, the innermost first. */
  scopes: Record<string, Row>[];
  /** Arguments and variables by name, and arguments by place. */
  parameters: Record<string, Value>;
  /** How many functions and policies are around, since both can be recursive. */
  depth: number;
  encode: (tree: Tree, environment: Environment) => Value;
  /** Whether the policies admit a row to the role. */
  admitted: (command: Command, row: Row, environment: Environment) => Truth;
};
