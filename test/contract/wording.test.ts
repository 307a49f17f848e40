/** Messages in details are written by us for every field and every value. */
import { z } from "zod";
import { operations, pageOperations } from "../../src/contract/operations.ts";
import { wording } from "../../src/contract/wording.ts";

const values = [
  undefined,
  null,
  "",
  "x",
  "x".repeat(40_000),
  "\0",
  -1,
  0.5,
  1e300,
  2 ** 60,
  true,
  [],
  [null],
  ["x"],
  {},
];
const plain = /^(?:is required|(?:must|is required|has) [^"]{2,400})$/;
const foreign = /expected|received|invalid|too (?:big|small)|string|boolean|array|record|undefined|NaN|pattern|regex/i;

test("no refusal of a field uses the default message of zod", () => {
  const said = new Map<string, string>();
  const codes = new Set<string>();
  for (const { name, query, body } of [...operations, ...pageOperations]) {
    for (const schema of [query, body]) {
      for (const field of Object.keys(schema?.shape ?? {})) {
        for (const value of values) {
          const issues = schema?.safeParse({ [field]: value }).error?.issues ?? [];
          for (const { code, path, message } of issues) {
            codes.add(code);
            if (!plain.test(message) || foreign.test(message)) said.set(`${name} ${path.join(".")}`, message);
          }
        }
      }
    }
  }
  expect(Object.fromEntries(said)).toEqual({});
  expect([...codes].toSorted()).toEqual([
    "custom",
    "invalid_format",
    "invalid_type",
    "invalid_value",
    "too_big",
    "too_small",
  ]);
});

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "is required"],
  [z.string(), 7, "must be text"],
  [z.number(), "7", "must be a number"],
  [z.int(), 1.5, "must be an integer"],
  [z.boolean(), null, "must be true or false"],
  [z.array(z.string()), {}, "must be a list"],
  [z.object({}), null, "must be an object"],
  [z.record(z.string(), z.unknown()), null, "must be an object"],
  [z.date(), 1, "must be of another type"],
  [z.number().max(1), 2, "must be at most 1"],
  [z.number().min(0), -1, "must be at least 0"],
  [z.number().lt(1), 1, "must be less than 1"],
  [z.number().gt(0), 0, "must be more than 0"],
  [z.string().max(2), "abc", "must have at most 2 characters"],
  [z.array(z.string()).min(1), [], "must have at least 1 entries"],
  [z.enum(["read", "write", "admin"]), "all", "must be read, write or admin"],
  [z.literal("v1"), "v2", "must be v1"],
  [z.number().multipleOf(5), 4, "must be a multiple of 5"],
  [z.strictObject({}), { more: 1 }, "must not have other fields"],
  [z.string().regex(/^a/), "b", "must have the format that the contract describes"],
  [z.union([z.string(), z.number()]), null, "must match the contract"],
])("%#: %j", (schema, value, message) => {
  expect(schema.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

test("a field's own message replaces the general one", () => {
  expect(z.string("must be a name").safeParse(7).error?.issues[0]?.message).toBe("must be a name");
  expect(wording({ code: "custom", input: 1, path: [], message: "" } as never)).toBe("must match the contract");
});
