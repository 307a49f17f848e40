/** Replaces references in steps and expectations of cases.json. */

/** Replaces each text "$name.field" by the field of the context. */
export function filled<Value>(value: Value, context: Record<string, unknown>): Value {
  return mapped(value, (text) => (text.startsWith("$") ? fieldOf(context, text.slice(1)) : text)) as Value;
}

/** Like `filled`; objects with `$match`, `$containing` or `$without` become matchers. */
export function expectationOf(value: unknown, context: Record<string, unknown>): unknown {
  return mapped(filled(value, context), (text) => text, matcherOf);
}

function matcherOf(value: Record<string, unknown>): unknown {
  if (typeof value.$without === "string") return expect.not.objectContaining({ [value.$without]: expect.anything() });
  if (typeof value.$match === "string") return expect.stringMatching(value.$match);
  if (Array.isArray(value.$containing)) {
    return expect.arrayContaining(value.$containing.map((each) => expect.objectContaining(each)));
  }
  return value;
}

function mapped(
  value: unknown,
  ofText: (text: string) => unknown,
  ofObject: (value: Record<string, unknown>) => unknown = (each) => each,
): unknown {
  if (typeof value === "string") return ofText(value);
  if (Array.isArray(value)) return value.map((each) => mapped(each, ofText, ofObject));
  if (typeof value !== "object" || value === null) return value;
  return ofObject(
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapped(each, ofText, ofObject)])),
  );
}

/** @throws Error if there is no such field */
function fieldOf(context: Record<string, unknown>, path: string): unknown {
  const value = path.split(".").reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], context);
  if (value === undefined) throw new Error(`The case has no $${path}.`);
  return value;
}
