/** How much one request may ask for, each bound at its most and one beyond. (docs/console.md.) */
import { buildSchema, parse } from "postgraphile/graphql";
import { bounds, boundsBroken } from "../../src/console/bounds.ts";

const schema = buildSchema(`
  type Query { id: ID, one: Query, many(first: Int! = 50, after: String): Page }
  type Page { nodes: [Query] }
  type Mutation { act: ID }
`);

const broken = (query: string, variables = {}, operationName?: string) =>
  boundsBroken(schema, parse(query), { variables, operationName });
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join(" ");

test("levels, also where fragments hide them", () => {
  const deep = (levels: number) => `${"{ one ".repeat(levels - 1)}{ id }${" }".repeat(levels - 1)}`;
  expect(broken(deep(bounds.depth))).toBeUndefined();
  expect(broken(deep(bounds.depth + 1))).toBe("The query is 13 levels deep; 12 are allowed.");
  const hidden = (levels: number) =>
    `{ ...F } fragment F on Query { one { ...G } } fragment G on Query ${deep(levels - 1)}`;
  expect(broken(hidden(bounds.depth))).toBeUndefined();
  expect(broken(hidden(bounds.depth + 1))).toMatch(/13 levels/);
});

test("fields, every alias counted, and a fragment as often as it is spread", () => {
  expect(broken(`{ ${times(bounds.fields, (at) => `f${at}: id`)} }`)).toBeUndefined();
  expect(broken(`{ ${times(bounds.fields + 1, (at) => `f${at}: id`)} }`)).toBe(
    "The query asks for 601 fields; 600 are allowed.",
  );
  // Ten fragments that each spread the next twice: a thousand fields in a few lines, and counted at once.
  const doubling = `{ ...F0 } ${times(10, (at) => `fragment F${at} on Query { a: one { ...F${at + 1} } b: one { ...F${at + 1} } }`)}
    fragment F10 on Query { id }`;
  expect(broken(doubling)).toMatch(/fields; 600 are allowed/);
});

test("rows of a list, written out, as a variable, by its default, or unsaid", () => {
  const list = (first: string) => `{ many(first: ${first}) { nodes { id } } }`;
  expect(broken(list("200"))).toBeUndefined();
  expect(broken(list("201"))).toBe("A list asks for 201 rows; a page has at most 200.");
  const variable = `query ($n: Int = 201) ${list("$n")}`;
  expect(broken(variable)).toMatch(/201 rows/);
  expect(broken(variable, { n: 200 })).toBeUndefined();
  expect(broken(variable, { n: 5000 })).toMatch(/5000 rows/);
  expect(broken("{ many { nodes { id } } }")).toBeUndefined();
});

test("a list that asks for null, which is all there is, or for less than nothing, which would pay for others", () => {
  const none = "A list asks for no number of rows; a page has 0 to 200.";
  const list = (first: string) => `{ many(first: ${first}) { nodes { id } } }`;
  const variable = (given: string) => `query ($n: ${given}) ${list("$n")}`;
  expect(broken(list("0"))).toBeUndefined();
  expect(broken(variable("Int"))).toBeUndefined(); // unsaid: by the list's default
  expect(broken(list("null"))).toBe(none);
  expect(broken(variable("Int"), { n: null })).toBe(none);
  expect(broken(variable("Int = 200"), { n: null })).toBe(none);
  expect(broken(variable("Int = null"))).toBe(none);
  expect(broken(list("-1"))).toBe(none);
  expect(broken(variable("Int"), { n: -1 })).toBe(none);
  const nested = "many(first: 200) { nodes { many(first: 200) { nodes { id } } } }";
  expect(broken(`{ ${nested} less: many(first: -100000) { nodes { id } } }`)).toBe(none);
});

test("rows of lists within lists, as their product", () => {
  const nested = (outer: number, inner: number) =>
    `{ many(first: ${outer}) { nodes { many(first: ${inner}) { nodes { id } } } } }`;
  expect(broken(nested(100, 199))).toBeUndefined(); // 100 + 100 × 199 = 20,000
  expect(broken(nested(200, 100))).toBe("The query may come to 20200 rows; 20000 are allowed.");
  expect(broken("{ many { nodes { many { nodes { many { nodes { id } } } } } } }")).toMatch(/rows; 20000/);
});

test("one act a request, and none behind a fragment", () => {
  expect(broken("mutation { act }")).toBeUndefined();
  expect(broken("mutation { act again: act }")).toMatch(/one act/);
  expect(broken("mutation { ...A } fragment A on Mutation { act again: act }")).toMatch(/one act/);
  expect(broken("mutation { ... on Mutation { act again: act } }")).toMatch(/one act/);
  expect(broken("mutation { ... { act } }")).toMatch(/one act/);
});

test("of several operations the one that is meant is weighed", () => {
  const two = "query Small { id } query Large { many(first: 201) { nodes { id } } }";
  expect(broken(two)).toMatch(/Name the operation/);
  expect(broken(two, {}, "Small")).toBeUndefined();
  expect(broken(two, {}, "Large")).toMatch(/201 rows/);
});
