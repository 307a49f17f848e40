/**
 * Access rules from the specification, independent of the implementation: credential, target and expected outcome
 * (docs/specification/conventions.md#order-of-checks).
 */
import type { Operation, Scope } from "../../src/contract/operation.ts";
import type { RefusalCode } from "../../src/contract/refusals.ts";

export type Credential = {
  name: string;
  /** Scope of the credential. Undefined: a platform key. */
  live: boolean;
  scope?: Scope;
  /** Its organisation is suspended. */
  suspended?: true;
};

export const credentials: Credential[] = [
  ...(["read", "write", "admin"] as const).map((scope) => ({ name: scope, live: true, scope })),
  ...["demoted", "removed", "revoked", "expired"].map((name) => ({ name, live: false, scope: "admin" as const })),
  { name: "suspended", live: true, scope: "admin", suspended: true },
  { name: "platform", live: true },
  { name: "revoked platform", live: false },
  { name: "expired platform", live: false },
  { name: "never made", live: false, scope: "admin" },
  { name: "none", live: false },
];

/** The id in the path: own, foreign, unknown or malformed. */
export const targets = ["own", "other", "random", "malformed"] as const;
export type Target = (typeof targets)[number];

const ranks: Scope[] = ["read", "write", "admin"];

/** An operation without an id in its path has one target: the caller's own rows. */
export function targetsOf({ path, keyClass }: Operation): readonly Target[] {
  if (!path.includes("{")) return ["own"];
  // Platform keys may access every organisation, so foreign ids are own ids for them.
  return keyClass === "platform" ? targets.filter((target) => target !== "other") : targets;
}

/** The expected refusal; undefined for success. */
export function refusalOf(operation: Operation, credential: Credential, target: Target): RefusalCode | undefined {
  if (!credential.live) return "unauthenticated";
  if ((operation.keyClass === "platform") !== (credential.scope === undefined)) return "unauthenticated";
  if (credential.scope && ranks.indexOf(credential.scope) < ranks.indexOf(operation.scope)) return "unauthenticated";
  if (credential.suspended) return "forbidden";
  return target === "own" ? undefined : "not_found";
}
