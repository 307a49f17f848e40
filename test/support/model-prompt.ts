/** Parts of the prompt that a model received. */
import type { ModelRequest } from "./model-server.ts";

export const system = (request: ModelRequest | undefined) => request?.messages[0]?.content ?? "";
export const roles = (request: ModelRequest | undefined) => request?.messages.map(({ role }) => role);
export const untrustedText = (request: ModelRequest | undefined) =>
  request?.messages
    .slice(1)
    .map(({ content }) => content)
    .join("\n") ?? "";
/** Text between marks, in order. */
export const marked = (request: ModelRequest | undefined, mark: string) =>
  [...untrustedText(request).matchAll(new RegExp(`<${mark}>(.*?)</${mark}>`, "gs"))].map(([, json]) =>
    JSON.parse(json ?? ""),
  );
