/**
 * The secrets of one process instead of the master key: the passwords of its logins, and a key if it seals or opens
 * values. A compromised process cannot log in as another. (docs/deploying.md)
 */
import type { Config } from "../config.ts";
import { deriveInvitationKey, type MasterKey } from "./master-key.ts";

type SecretName = keyof Config["partSecrets"];
export type Part = "api" | "worker" | "console" | "cli" | "auditor";

type PartSecrets = { logins: Partial<Record<SecretName, string>>; key?: "SEALING_KEY" | "INVITATION_KEY" };

const secretsByPart: Record<Part, PartSecrets> = {
  // Seals secrets of endpoints and hooks, and opens those of hooks.
  api: { logins: { DATABASE_PASSWORD: "server" }, key: "SEALING_KEY" },
  // Opens secrets of endpoints and invitation links, and derives approval links.
  worker: { logins: { DATABASE_PASSWORD: "worker", EXECUTOR_PASSWORD: "runner" }, key: "SEALING_KEY" },
  // Seals the link of an invitation that is sent again.
  console: { logins: { DATABASE_PASSWORD: "operator" }, key: "INVITATION_KEY" },
  cli: { logins: { DATABASE_PASSWORD: "cli" } },
  auditor: { logins: { DATABASE_PASSWORD: "auditor" } },
};

export const parts = Object.keys(secretsByPart) as Part[];

/** The secrets of this part, by name of setting. */
export function secretsOf(part: Part, master: MasterKey): Record<string, string> {
  const { logins, key } = secretsByPart[part];
  const passwords = Object.entries(logins).map(([name, role]) => [name, master.password(role)]);
  const keys = { SEALING_KEY: master.sealing, INVITATION_KEY: master.invitations };
  return Object.fromEntries([...passwords, ...(key ? [[key, keys[key].toString("base64")]] : [])]);
}

/** The keys and passwords of this part. @throws Error if one is missing */
export function keyOfPart(part: Part, given: Config["partSecrets"]): MasterKey {
  const { logins, key } = secretsByPart[part];
  const missing = [...Object.keys(logins), ...(key ? [key] : [])].filter((name) => !given[name as SecretName]);
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
      if (key !== "SEALING_KEY") throw new Error("This process has no sealing key.");
      return bytes("SEALING_KEY");
    },
    get invitations() {
      return key === "SEALING_KEY" ? deriveInvitationKey(bytes("SEALING_KEY")) : bytes("INVITATION_KEY");
    },
  };
}
