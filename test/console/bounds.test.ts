/** Bounds of one GraphQL request, each at its maximum and one above. (docs/console.md) */
import { buildSchema, parse } from "postgraphile/graphql";
import { bounds, boundsBroken } from "../../src/console/bounds.ts";

const schema = buildSchema(`
  type Query { id: ID, one: Query, many(first: Int! = 50, after: String): Page }
  type Page { nodes: [Query] }
  type Mutation { suspend: ID }
`);

const broken = (query: string, variables = {}, operationName?: string) =>
  boundsBroken(schema, parse(query), { variables, operationName });
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join(" ");

test("depth counts levels inside fragments", () => {
  const deep = (levels: number) => `${"{ one ".repeat(levels - 1)}{ id }${" }".repeat(levels - 1)}`;
  expect(broken(deep(bounds.depth))).toBeUndefined();
  expect(broken(deep(bounds.depth + 1))).toBe("The query is 13 levels deep; 12 are allowed.");
  const hidden = (levels: number) =>
    `{ ...F } fragment F on Query { one { ...G } } fragment G on Query ${deep(levels - 1)}`;
  expect(broken(hidden(bounds.depth))).toBeUndefined();
  expect(broken(hidden(bounds.depth + 1))).toMatch(/13 levels/);
});

test("fields count every alias, and a fragment each time it is spread", () => {
  expect(broken(`{ ${times(bounds.fields, (at) => `f${at}: id`)} }`)).toBeUndefined();
  expect(broken(`{ ${times(bounds.fields + 1, (at) => `f${at}: id`)} }`)).toBe(
    "The query has 601 fields; 600 are allowed.",
  );
  // Ten fragments that each spread the next one twice. Counting must not take exponential time.
  const doubling = `{ ...F0 } ${times(10, (at) => `fragment F${at} on Query { a: one { ...F${at + 1} } b: one { ...F${at + 1} } }`)}
    fragment F10 on Query { id }`;
  expect(broken(doubling)).toMatch(/fields; 600 are allowed/);
});

test("the size of a list counts as a literal, a variable, a variable's default or the schema's default", () => {
  const list = (first: string) => `{ many(first: ${first}) { nodes { id } } }`;
  expect(broken(list("200"))).toBeUndefined();
  expect(broken(list("201"))).toBe("A list requests 201 rows; a page has at most 200.");
  const variable = `query ($n: Int = 201) ${list("$n")}`;
  expect(broken(variable)).toMatch(/201 rows/);
  expect(broken(variable, { n: 200 })).toBeUndefined();
  expect(broken(variable, { n: 5000 })).toMatch(/5000 rows/);
  expect(broken("{ many { nodes { id } } }")).toBeUndefined();
});

test("a list with first: null or a negative number is refused", () => {
  const none = "A list has an invalid number of rows; a page has 0 to 200.";
  const list = (first: string) => `{ many(first: ${first}) { nodes { id } } }`;
  const variable = (type: string) => `query ($n: ${type}) ${list("$n")}`;
  expect(broken(list("0"))).toBeUndefined();
  expect(broken(variable("Int"))).toBeUndefined(); // no value: the list's default applies
  expect(broken(list("null"))).toBe(none);
  expect(broken(variable("Int"), { n: null })).toBe(none);
  expect(broken(variable("Int = 200"), { n: null })).toBe(none);
  expect(broken(variable("Int = null"))).toBe(none);
  expect(broken(list("-1"))).toBe(none);
  expect(broken(variable("Int"), { n: -1 })).toBe(none);
  const nested = "many(first: 200) { nodes { many(first: 200) { nodes { id } } } }";
  expect(broken(`{ ${nested} less: many(first: -100000) { nodes { id } } }`)).toBe(none);
});

test("rows of nested lists multiply", () => {
  const nested = (outer: number, inner: number) =>
    `{ many(first: ${outer}) { nodes { many(first: ${inner}) { nodes { id } } } } }`;
  expect(broken(nested(100, 199))).toBeUndefined(); // 100 + 100 × 199 = 20,000
  expect(broken(nested(200, 100))).toBe("The query may come to 20200 rows; 20000 are allowed.");
  expect(broken("{ many { nodes { many { nodes { many { nodes { id } } } } } } }")).toMatch(/rows; 20000/);
});

test("a request has at most one mutation, and none inside a fragment", () => {
  expect(broken("mutation { suspend }")).toBeUndefined();
  expect(broken("mutation { suspend again: suspend }")).toMatch(/one operator action/);
  expect(broken("mutation { ...A } fragment A on Mutation { suspend again: suspend }")).toMatch(/one operator action/);
  expect(broken("mutation { ... on Mutation { suspend again: suspend } }")).toMatch(/one operator action/);
  expect(broken("mutation { ... { suspend } }")).toMatch(/one operator action/);
});

test("only the named operation of several is checked", () => {
  const two = "query Small { id } query Large { many(first: 201) { nodes { id } } }";
  expect(broken(two)).toMatch(/Name the operation/);
  expect(broken(two, {}, "Small")).toBeUndefined();
  expect(broken(two, {}, "Large")).toMatch(/201 rows/);
});
