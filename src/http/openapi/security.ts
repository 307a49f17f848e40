/**
 * Who may call what: a scheme for each scope and class of key, and for each operation every scheme that reaches it.
 * (docs/specification/conventions.md#scopes)
 */
import type { Operation, Scope } from "../../contract/operation.ts";

const key = { type: "http", scheme: "bearer", bearerFormat: "bsk_…" };

export const securitySchemes = {
  readKey: { ...key, description: "An organisation's API key of scope `read`." },
  writeKey: { ...key, description: "An organisation's API key of scope `write`." },
  adminKey: { ...key, description: "An organisation's API key of scope `admin`." },
  platformKey: {
    ...key,
    bearerFormat: "bsp_…",
    description: "An operator's platform key. It founds organisations and reaches nothing else.",
  },
  hookSignature: {
    type: "apiKey",
    in: "header",
    name: "X-Botstead-Signature",
    description: "Of what is posted to a hook, under the hook's secret; `POST /hooks/{id}/receive` says over what.",
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

/** The same in words. */
export function keyFor({ keyClass, scope }: Operation): string {
  if (keyClass === "platform") return "a platform key";
  return scope === "admin" ? "a key of scope `admin`" : `a key of scope \`${scope}\` or wider`;
}
