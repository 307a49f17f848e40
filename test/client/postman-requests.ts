/** Sends the requests of a Postman collection. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { generators } from "../../tools/generators/install.ts";
import type { PostmanItem } from "../../tools/generators/postman.ts";

type Sdk = {
  Collection: new (definition: object) => { forEachItem(handle: (item: SdkItem) => void): void };
  Property: { replaceSubstitutions(text: string, values: object[]): string };
};
type SdkItem = {
  name: string;
  toJSON(): PostmanItem;
  getAuth(): { type: string; parameters(): { get(name: string): string } } | undefined;
  request: { url: { getRaw(): string; getPath(): string; getQueryString(): string } };
};

/** Sends all requests as Postman does: variables replaced, keys inherited from folders. */
export async function sendAll(definition: object, values: Record<string, string>) {
  const { Collection, Property } = createRequire(join(generators, "package.json"))("postman-collection") as Sdk;
  const items: SdkItem[] = [];
  new Collection(definition).forEachItem((item) => items.push(item));
  const fill = (text: string) => Property.replaceSubstitutions(text, [values]);
  const sent = [];
  for (const item of items) {
    const { name, request, response = [] } = item.toJSON();
    if (!request) throw new Error(`${name} has no request.`);
    const headers = new Headers(request.header.map(({ key, value }): [string, string] => [key, fill(value)]));
    const auth = item.getAuth();
    if (auth?.type === "bearer") headers.set("authorization", `Bearer ${fill(auth.parameters().get("token"))}`);
    const query = item.request.url.getQueryString();
    const address = `${values.baseUrl}${item.request.url.getPath()}${query ? `?${query}` : ""}`;
    const body = request.body?.raw;
    const { status } = await fetch(address, { method: request.method, headers, ...(body ? { body: fill(body) } : {}) });
    const hasIds = request.url.variable.length > 0 || /Id"/.test(body ?? "");
    sent.push({
      name,
      status,
      hasIds,
      isSigned: auth?.type === "noauth" || auth?.type === "apikey",
      expected: response[0]?.code,
    });
  }
  return sent;
}
