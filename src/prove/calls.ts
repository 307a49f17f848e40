/** Calls: a function of SQL is replaced by its body, as PostgreSQL inlines it. Others give any value. */
import { functionNamed, type SqlFunction } from "./catalogue.ts";
import type { Environment } from "./environment.ts";
import { namesOf, statementsOf, type Tree } from "./parse.ts";
import { anyValue } from "./problem.ts";
import { asScalar, equal, or, type Scalar, scalar, type Value } from "./terms.ts";

const maxDepth = 12;

export function called(
  { funcname, args = [], func_variadic: variadic, agg_star, agg_distinct, agg_filter, over }: Tree,
  environment: Environment,
): Value {
  const { problem, catalogue } = environment;
  const name = namesOf(funcname)
    .filter((part) => part !== "pg_catalog")
    .join(".");
  const given = args.map((each: Tree) => asScalar(environment.encode(each.NamedArgExpr?.arg ?? each, environment)));
  if (name === "current_setting" && given[0]?.literal !== undefined) return settingOf(given[0].literal, environment);
  const named = args.some((each: Tree) => each.NamedArgExpr);
  const found = functionNamed(catalogue, name, given.length);
  if (found && !variadic && !named && isInlined(found, environment)) {
    const value = inlined(found, given, environment);
    if (value) return value;
  }
  const known = found ?? catalogue.builtin[name];
  const isRepeatable =
    known !== undefined && !known.volatile && !(agg_star || agg_distinct || agg_filter || over || variadic);
  const result = anyValue(
    problem,
    `function ${name}`,
    known?.returns ?? "unknown",
    isRepeatable ? given : undefined,
    known?.strict,
  );
  const [, text] = given;
  if (name === "starts_with" && text?.literal !== undefined)
    // an example shows it
    problem.facts.push(equal(problem.declare(`starts with ${text.literal}`, "() Real"), result.value));
  return result;
}

const isInlined = (
  { language, body, definer, otherSettings, returnsSet }: SqlFunction,
  { depth }: Environment,
): boolean => language === "sql" && body !== null && !definer && !otherSettings && !returnsSet && depth < maxDepth;

function inlined(found: SqlFunction, given: Scalar[], environment: Environment): Value | undefined {
  const select = scalarBody(found);
  if (!select) return undefined;
  const value = environment.encode(select, bodyEnvironment(found, given, environment));
  if (!found.strict || given.length === 0) return value;
  const result = asScalar(value);
  return scalar(result.type, result.value, or(result.isNull, ...given.map(({ isNull }) => isNull)));
}

/** The expression that a body of one `select` without tables returns. */
function scalarBody({ body }: SqlFunction): Tree | undefined {
  const statements = statementsOf(body ?? "");
  const select = statements.length === 1 ? statements[0].SelectStmt : undefined;
  const isScalar = select && Object.keys(select).every((key) => ["targetList", "limitOption", "op"].includes(key));
  return isScalar && select.op === "SETOP_NONE" && select.targetList.length === 1
    ? select.targetList[0].ResTarget.val
    : undefined;
}

export function bodyEnvironment(found: SqlFunction, given: Scalar[], environment: Environment): Environment {
  const short = found.name.split(".")[1] ?? found.name;
  const parameters = Object.fromEntries(
    found.arguments.flatMap(({ name, type }, place) => {
      const argument = given[place];
      if (!argument) return [];
      const value =
        argument.type === "unknown" && argument.literal !== undefined
          ? environment.problem.literal(argument.literal, type)
          : argument;
      return [`$${place + 1}`, ...(name ? [name, `${short}.${name}`] : [])].map((key) => [key, value]);
    }),
  );
  return { ...environment, scopes: [], parameters, depth: environment.depth + 1 };
}

/** A setting is text, or null if nothing has set it. */
function settingOf(name: string, { problem }: Environment): Scalar {
  const known = problem.settings.get(name);
  if (known) return known.text;
  const text = problem.constant(`setting ${name}`, "text");
  problem.settings.set(name, { text, casts: new Map() });
  return text;
}
