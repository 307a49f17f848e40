/** The English texts of the portal are in src/front/portal/texts and, for parts that the console shares, in src/front/parts/texts.ts. */
import { globSync, readFileSync } from "node:fs";
import { parseSync } from "vite";

const files = globSync("src/front/{portal,parts}/**/*.{ts,tsx}").filter(
  (file) => !/texts\//.test(file) && !file.endsWith("/parts/texts.ts"),
);

/** Texts that no reader sees as a sentence of the portal. */
const exceptions = [
  "Enter", // the name of a key
  "There is no session.", // a fault of the program
  "https://", // the beginning of an address
  "UTC", // the name of a time zone
  "reloaded for", // the beginning of a key in the storage of a tab
];
/** Code in other languages. */
const withCode = "src/front/portal/verify-samples.ts";

type Node = { type: string; [property: string]: unknown };

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";
const shownAttributes = /^(label|title|placeholder|alt|aria-label|caption|any|hint|text)$/;
const selects = /^(querySelector|querySelectorAll|closest|matches)$/;
const isSentence = (text: string) => /^[A-Z][a-z]+$|[A-Za-z]{2,}[.,:]? [A-Za-z]/.test(text);

/** The text of a string, of a part of a template, or between tags. */
function textOf(node: Node): string | undefined {
  if (node.type === "JSXText") return String(node.value).trim();
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  return node.type === "TemplateElement" ? (node.value as { cooked: string }).cooked : undefined;
}

/** Whether a reader sees the value: between tags, or in an attribute such as a label. */
function isShown(path: Node[], node: Node): boolean {
  let value = node;
  for (const parent of path.toReversed()) {
    if (parent.type === "JSXElement" || parent.type === "JSXFragment") return true;
    if (parent.type === "JSXAttribute") return shownAttributes.test(String((parent.name as Node).name));
    const isResult = parent.type === "ConditionalExpression" && parent.test !== value;
    const isPassedOn = /^(LogicalExpression|TemplateLiteral|JSXExpressionContainer)$/.test(parent.type);
    if (!isResult && !isPassedOn) return false;
    value = parent;
  }
  return false;
}

const isClass = (path: Node[]) =>
  path.some(({ type, name }) => type === "JSXAttribute" && (name as Node).name === "class");
const isSelector = (path: Node[]) =>
  path.some(
    ({ type, callee }) => type === "CallExpression" && selects.test(String(((callee as Node).property as Node)?.name)),
  );

/** Strings outside of imports and types that satisfy the condition. @param path the nodes around the string */
function stringsIn(
  file: string,
  source: string,
  isWanted = (_text: string, _path: Node[], _node: Node) => true,
): string[] {
  const found: string[] = [];
  const walk = (value: unknown, path: Node[]): void => {
    if (Array.isArray(value)) for (const each of value) walk(each, path);
    if (!isNode(value) || /^(Import|ExportAll|TS(Type|Interface|Literal|Union))/.test(value.type)) return;
    const text = textOf(value);
    if (text !== undefined && isWanted(text, path, value)) found.push(text.trim());
    for (const [name, child] of Object.entries(value)) if (name !== "type") walk(child, [...path, value]);
  };
  const { program, errors } = parseSync(file, source);
  expect(errors).toEqual([]);
  walk(program, []);
  return found;
}

/** Texts in English, outside of imports and types. */
const englishIn = (file: string, source: string): string[] =>
  stringsIn(
    file,
    source,
    (text, path, node) =>
      /[A-Za-z]{2}/.test(text) &&
      (isShown(path, node) || (isSentence(text) && !isClass(path) && !isSelector(path))) &&
      !exceptions.includes(text.trim()),
  );

test("the portal has no English text outside of its texts", () => {
  expect(files.length).toBeGreaterThan(80);
  const found = files
    .filter((file) => file !== withCode)
    .map((file) => [file, englishIn(file, readFileSync(file, "utf8"))]);
  expect(found.filter(([, texts]) => (texts?.length ?? 0) > 0)).toEqual([]);
});

/** Other words for what the pages call an endpoint and a hook. The name of the standard is no such word. */
const otherWords = /\b(inbound )?(?<!Standard )webhooks?\b/i;
const isText = (text: string) => / /.test(text.trim()) || /^[A-Z]/.test(text);

test("the pages have one word for an endpoint and one for a hook", () => {
  const pages = globSync("src/front/**/*.{ts,tsx}").filter((file) => file !== withCode);
  const kinds = ["src/contract/event-kinds.ts"]; // its summaries are shown
  const found = [...pages, ...kinds].flatMap((file) =>
    stringsIn(file, readFileSync(file, "utf8"))
      .filter((text) => isText(text) && otherWords.test(text))
      .map((text) => [file, text]),
  );
  expect(found).toEqual([]);
});

test.each<[where: string, source: string, found: string[]]>([
  ["between tags", "<p>saved</p>", ["saved"]],
  ["in an expression between tags", '<p>{isOne ? "row" : "rows"}{isPart && "loaded"}</p>', ["row", "rows", "loaded"]],
  ["in an attribute", '<input aria-label="name" class="wide field" name="name" />', ["name"]],
  ["in a call", 'toast("The key is saved.")', ["The key is saved."]],
  ["in an object", '({ title: "Usage", kind: "usage" })', ["Usage"]],
])("English is found %s", (_, source, found) => {
  expect(englishIn("sample.tsx", source)).toEqual(found);
});

test("selectors, classes and names of fields are no English texts", () => {
  const source = '<p class="wide field">{document.querySelector("main .actions button")}<input name="name" /></p>';
  expect(englishIn("sample.tsx", source)).toEqual([]);
});
