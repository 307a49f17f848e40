/**
 * Access rules from the specification, independent of the implementation: credential, target and expected outcome
 * (docs/specification/conventions.md#order-of-checks).
 */
import type { Operation, Scope } from "../../src/contract/operation.ts";
import type { RefusalCode } from "../../src/contract/refusals.ts";

export type Credential = {
  name: string;
  /** Whether it admits anybody to anything; undefined scope: of the platform. */
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

/** What stands in the path in the place of an id: one's own, of another organisation, of nobody, or no id at all. */
export const targets = ["own", "other", "random", "malformed"] as const;
export type Target = (typeof targets)[number];

const ranks: Scope[] = ["read", "write", "admin"];

/** An operation without an id in its path has one target: what is the caller's own. */
export function targetsOf({ path, keyClass }: Operation): readonly Target[] {
  if (!path.includes("{")) return ["own"];
  // The platform's operations are about organisations, which are all the same to its keys.
  return keyClass === "platform" ? targets.filter((target) => target !== "other") : targets;
}

/** The refusal that must come; undefined where the operation is to be carried out. */
export function refusalOf(operation: Operation, credential: Credential, target: Target): RefusalCode | undefined {
  if (!credential.live) return "unauthenticated";
  if ((operation.keyClass === "platform") !== (credential.scope === undefined)) return "unauthenticated";
  if (credential.scope && ranks.indexOf(credential.scope) < ranks.indexOf(operation.scope)) return "unauthenticated";
  if (credential.suspended) return "forbidden";
  return target === "own" ? undefined : "not_found";
}
