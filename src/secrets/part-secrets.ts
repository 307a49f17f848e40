/**
 * The secrets of one process instead of the master key: the passwords of its logins, and a key if it seals or opens
 * values. A compromised process cannot log in as another. (docs/deploying.md)
 */
import type { Config } from "../config.ts";
import { deriveInvitationKey, type MasterKey } from "./master-key.ts";

type SecretName = keyof Config["partSecrets"];
export type Part = "api" | "worker" | "console" | "cli" | "auditor";

type KeyName = "SEALING_KEY" | "INVITATION_KEY" | "AUDIT_KEY";
type PartSecrets = { logins: Partial<Record<SecretName, string>>; keys?: KeyName[] };

const secretsByPart: Record<Part, PartSecrets> = {
  // Seals secrets of endpoints and hooks, and opens secrets of hooks.
  api: { logins: { DATABASE_PASSWORD: "server" }, keys: ["SEALING_KEY"] },
  // Signs checkpoints, opens secrets of endpoints and invitation links, and derives approval links.
  worker: { logins: { DATABASE_PASSWORD: "worker", EXECUTOR_PASSWORD: "runner" }, keys: ["SEALING_KEY", "AUDIT_KEY"] },
  // Seals the link of an invitation that is sent again.
  console: { logins: { DATABASE_PASSWORD: "operator" }, keys: ["INVITATION_KEY"] },
  cli: { logins: { DATABASE_PASSWORD: "cli" } },
  auditor: { logins: { DATABASE_PASSWORD: "auditor" } },
};

export const parts = Object.keys(secretsByPart) as Part[];

/** The secrets of this part, by name of setting. */
export function secretsOf(part: Part, master: MasterKey): Record<string, string> {
  const { logins, keys: needed = [] } = secretsByPart[part];
  const passwords = Object.entries(logins).map(([name, role]) => [name, master.password(role)]);
  const keys = { SEALING_KEY: master.sealing, INVITATION_KEY: master.invitations, AUDIT_KEY: master.checkpoints };
  return Object.fromEntries([...passwords, ...needed.map((name) => [name, keys[name].toString("base64")])]);
}

/** The keys and passwords of this part. @throws Error if one is missing */
export function keyOfPart(part: Part, given: Config["partSecrets"]): MasterKey {
  const { logins, keys = [] } = secretsByPart[part];
  const missing = [...Object.keys(logins), ...keys].filter((name) => !given[name as SecretName]);
  if (missing.length > 0) {
    throw new Error(`${missing.join(" and ")} must be set: "botstead secrets ${part}" prints what this process needs.`);
  }
  const bytes = (name: SecretName) => Buffer.from(given[name] ?? "", "base64");
  return {
    password(role) {
      const found = Object.entries(logins).find(([, login]) => login === role);
      if (!found) throw new Error(`This process has no password for the login ${role}.`);
      return given[found[0] as SecretName] ?? "";
    },
    get sealing() {
      if (!keys.includes("SEALING_KEY")) throw new Error("This process has no sealing key.");
      return bytes("SEALING_KEY");
    },
    get checkpoints() {
      if (!keys.includes("AUDIT_KEY")) throw new Error("This process has no key for checkpoints.");
      return bytes("AUDIT_KEY");
    },
    get invitations() {
      return keys.includes("SEALING_KEY") ? deriveInvitationKey(bytes("SEALING_KEY")) : bytes("INVITATION_KEY");
    },
  };
}
