/**
 * Security schemes: one per scope and class of key. An operation lists every scheme that it accepts.
 * (docs/specification/conventions.md#scopes)
 */
import type { Operation, Scope } from "../../contract/operation.ts";

const key = { type: "http", scheme: "bearer", bearerFormat: "bsk_…" };

export const securitySchemes = {
  readKey: { ...key, description: "API key of an organisation with scope `read`." },
  writeKey: { ...key, description: "API key of an organisation with scope `write`." },
  adminKey: { ...key, description: "API key of an organisation with scope `admin`." },
  platformKey: {
    ...key,
    bearerFormat: "bsp_…",
    description: "An operator's platform key. It can only call the platform operations.",
  },
  hookSignature: {
    type: "apiKey",
    in: "header",
    name: "X-Botstead-Signature",
    description: "Signature of a post to a hook: see `POST /hooks/{id}/receive`.",
  },
};

type Security = Record<string, string[]>[];

const reaching: Record<Scope, Security> = {
  read: [{ readKey: [] }, { writeKey: [] }, { adminKey: [] }],
  write: [{ writeKey: [] }, { adminKey: [] }],
  admin: [{ adminKey: [] }],
};

export function securityOf({ keyClass, scope }: Operation): Security {
  return keyClass === "platform" ? [{ platformKey: [] }] : reaching[scope];
}

/** The required key in words. */
export function keyFor({ keyClass, scope }: Operation): string {
  if (keyClass === "platform") return "a platform key";
  return scope === "admin" ? "a key of scope `admin`" : `a key of scope \`${scope}\` or wider`;
}
