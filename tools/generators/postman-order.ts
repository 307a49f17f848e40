/**
 * What makes the collection run from top to bottom: creations store the ids that later requests name, deletions are last, and
 * each request checks its status. All of it follows from the examples of the document, except `rowsInState`.
 */
import { ids, times } from "../../src/contract/examples.ts";
import type { PostmanItem } from "./postman.ts";

export type Documented = {
  operationId: string;
  responses: Record<string, { content?: Record<string, { example?: Example }> }>;
};
type Example = { id?: string; secret?: string; data?: Record<string, unknown>[] };
type Row = keyof typeof ids;
type Requests = { item: PostmanItem; operation: Documented }[];
type Variable = { key: string; value: string; description?: string };

/** Rows in a state that no request of the collection brings about. The user names them. */
const rowsInState: Record<string, { row: Row; variable: string; description: string }> = {
  resume_run: { row: "run", variable: "blockedRunId", description: "A run whose state is blocked." },
  retry_run: { row: "run", variable: "endedRunId", description: "A run that has ended." },
  redeliver: {
    row: "delivery",
    variable: "failedDeliveryId",
    description: "A failed delivery of an active endpoint.",
  },
  get_audit_proof: {
    row: "auditEntry",
    variable: "provenEntryId",
    description: "An entry of the audit log that is older than a minute.",
  },
};

/**
 * Sets an hour ago, which replaces the example's time, and the base of all paths: `baseUrl` may be the server's address, as
 * the clients take it. Runs before each request.
 */
export const prepareRequest = script("prerequest", [
  'const address = pm.variables.get("baseUrl").replace(/\\/*(\\/api\\/v1)?\\/*$/, "");',
  'pm.variables.set("baseUrl", address + "/api/v1");',
  'pm.variables.set("anHourAgo", new Date(Date.now() - 3600000).toISOString());',
]);

/** Signs a post as the description of the operation says. */
const signPost = script("prerequest", [
  "const timestamp = Math.floor(Date.now() / 1000);",
  'const text = "v1:" + timestamp + ":" + pm.variables.replaceIn(pm.request.body.raw);',
  'const signature = CryptoJS.HmacSHA256(text, pm.variables.get("hookSecret")).toString();',
  'const headers = { "X-Botstead-Timestamp": String(timestamp), "X-Botstead-Signature": signature };',
  "for (const [key, value] of Object.entries(headers)) {",
  "  pm.request.headers.remove(key); // an optional header is disabled, and stays so when its value changes",
  "  pm.request.headers.add({ key, value });",
  "}",
]);

/**
 * Adds variables and scripts to requests, which are in the order of the document. Returns the variables.
 * @throws Error if a request names a row that no earlier request stores
 */
export function connect(requests: Requests): Variable[] {
  const variables = new Map<string, string>();
  const all = JSON.stringify(requests.map(({ item }) => item.request));
  const named = (Object.keys(ids) as Row[]).filter((row) => all.includes(ids[row]));
  const creators = new Map(named.map((row) => [row, creatorOf(requests, row)]));
  for (const { item, operation } of requests.toSorted(
    (a, b) => Number(isDeletion(a.item)) - Number(isDeletion(b.item)),
  )) {
    const state = rowsInState[operation.operationId];
    if (state) variables.set(state.variable, state.description);
    let text = JSON.stringify(item.request).replaceAll(times.outage, "{{anHourAgo}}");
    for (const [row, id] of Object.entries(ids)) {
      if (!text.includes(id)) continue;
      const name = state?.row === row ? state.variable : `${row}Id`;
      if (!variables.has(name))
        throw new Error(`${operation.operationId} needs ${name}, which no earlier request stores.`);
      text = text.replaceAll(id, `{{${name}}}`);
    }
    item.request = JSON.parse(text);
    const stored = storedBy(
      operation,
      named.filter((row) => creators.get(row) === operation),
    );
    for (const [name] of stored) variables.set(name, "");
    const status = Object.keys(operation.responses)[0];
    item.event = [
      ...(operation.operationId === "receive_hook" ? [signPost] : []),
      script("test", [
        `pm.test("Responds with ${status}", () => pm.response.to.have.status(${status}));`,
        ...stored.map(([name, value]) => `pm.collectionVariables.set("${name}", pm.response.json().${value});`),
      ]),
    ];
  }
  return [...variables].map(([key, description]) => ({ key, value: "", ...(description ? { description } : {}) }));
}

export const isDeletion = ({ request }: PostmanItem): boolean => request?.method === "DELETE";

/** The first POST that responds with the row and does not name it; otherwise the first list of such rows. */
function creatorOf(requests: Requests, row: Row): Documented | undefined {
  const others = requests.filter(({ item }) => !JSON.stringify(item.request).includes(ids[row]));
  const created = others.find(
    ({ item, operation }) => item.request?.method === "POST" && exampleOf(operation)?.id === ids[row],
  );
  return (created ?? others.find(({ operation }) => fieldOf(operation, row)))?.operation;
}

/** Names of variables, and where the response has their values. A rotated secret replaces the created one. */
function storedBy(operation: Documented, rows: Row[]): [string, string][] {
  const example = exampleOf(operation);
  const secretOf = example?.secret && Object.entries(ids).find(([, id]) => id === example.id)?.[0];
  return [
    ...rows.map((row): [string, string] => [`${row}Id`, example?.id ? "id" : `data[0]?.${fieldOf(operation, row)}`]),
    ...(secretOf ? [[`${secretOf}Secret`, "secret"] as [string, string]] : []),
  ];
}

/** The field of a list's row that identifies it. */
const fieldOf = (operation: Documented, row: Row): string | undefined =>
  ["id", "userId"].find((field) => exampleOf(operation)?.data?.[0]?.[field] === ids[row]);

const exampleOf = ({ responses }: Documented): Example | undefined =>
  Object.values(responses)[0]?.content?.["application/json"]?.example;

function script(listen: "prerequest" | "test", exec: string[]) {
  return { listen, script: { type: "text/javascript", exec } };
}
