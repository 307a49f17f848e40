/**
 * The Postman collection of the API: a folder for each tag and one for deletions, a request for each operation with the example
 * of the document. Variables hold the address, the keys and the ids of rows.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect, type Documented, isDeletion, prepareRequest } from "./postman-order.ts";

type Auth =
  | { type: "noauth" | "apikey" }
  | { type: "bearer"; bearer: { key: string; value: string; type: "string" }[] };

export type PostmanItem = {
  id?: string;
  name: string;
  auth?: Auth;
  item?: PostmanItem[];
  request?: {
    method: string;
    auth?: Auth;
    url: { path: string[]; host: string[]; query: unknown[]; variable: { key: string; value: string }[] };
    header: { key: string; value: string }[];
    body?: { mode?: string; raw?: string };
  };
  response?: { id?: string; code: number }[];
  event?: object[];
};

export type PostmanCollection = {
  info: { _postman_id?: string; name: string; schema: string };
  item: PostmanItem[];
  auth?: Auth;
  event?: object[];
  variable: { key: string; value: string; description?: string }[];
};

const options = {
  folderStrategy: "Tags",
  parametersResolution: "Example",
  enableOptionalParameters: false,
};

/** The tag whose operations take a platform key. */
const platform = "Platform";

/** Needs the packages of tools/generators. */
export async function postmanCollection(): Promise<PostmanCollection> {
  const document = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
  // Postman makes a new value for each request.
  document.components.parameters.IdempotencyKey.example = "{{$guid}}";
  document.components.parameters.IfMatch.example = "*"; // the revision of the document's example is no row's
  const collection = await converted(document);
  delete collection.info._postman_id; // random; Postman gives ids when it imports
  for (const folder of collection.item) {
    if (folder.name === platform) folder.auth = bearer("{{platformKey}}");
    for (const item of folder.item ?? []) simplify(item);
  }
  const requests = collection.item.flatMap(({ item = [] }) =>
    item.map((each) => ({ item: each, operation: operationOf(document, each) })),
  );
  const rows = connect(requests);
  for (const folder of collection.item) folder.item = folder.item?.filter((item) => !isDeletion(item)) ?? [];
  const deletions = requests.map(({ item }) => item).filter(isDeletion);
  collection.item.push({ name: "Deletions", item: deletions.reverse() });
  collection.auth = bearer("{{key}}");
  collection.event = [prepareRequest];
  collection.variable.push({ key: "key", value: "" }, { key: "platformKey", value: "" }, ...rows);
  return collection;
}

function operationOf(document: { paths: Record<string, Record<string, Documented>> }, { name, request }: PostmanItem) {
  const path = `/${request?.url.path.map((part) => part.replace(/^:(.*)/, "{$1}")).join("/")}`;
  const operation = document.paths[path]?.[request?.method.toLowerCase() ?? ""];
  if (!operation) throw new Error(`The document has no operation for "${name}".`);
  return operation;
}

/**
 * Inherits the key, and keeps only the successful response as an example: the refusals are alike. A signature is no key of
 * Postman, which would replace the header that the script sets.
 */
function simplify(item: PostmanItem): void {
  delete item.id;
  if (!item.request?.body?.mode) delete item.request?.body;
  if (item.request?.auth?.type === "bearer") delete item.request.auth;
  if (item.request?.auth?.type === "apikey") item.request.auth = { type: "noauth" };
  item.response = item.response?.filter(({ code }) => code < 300) ?? [];
  for (const response of item.response) delete response.id;
}

const bearer = (value: string): Auth => ({ type: "bearer", bearer: [{ key: "token", value, type: "string" }] });

type Conversion = { result: boolean; reason?: string; output: [{ data: PostmanCollection }] };

function converted(document: object): Promise<PostmanCollection> {
  const { convertV2 } = createRequire(import.meta.url)("openapi-to-postmanv2");
  return new Promise((resolve, reject) =>
    convertV2(
      { type: "json", data: document },
      options,
      (error: Error | null, { result, reason, output }: Conversion) =>
        result ? resolve(output[0].data) : reject(error ?? new Error(reason)),
    ),
  );
}
