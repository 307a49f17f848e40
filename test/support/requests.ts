/** A valid request of each operation, so that a test can iterate over the contract. */
import type { Operation } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import type { Json } from "./api.ts";

export const absent = "01890000-0000-7000-8000-000000000000";

let made = 0;

const bodies: Record<string, () => Json> = {
  create_portal_session: () => ({}),
  create_key: () => ({ name: "CI" }),
  create_bot: () => ({ name: "Ada" }),
  update_bot: () => ({ name: "Bob" }),
  create_memory: () => ({ scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" }),
  import_memories: () => ({
    memories: [
      {
        externalId: `request-${++made}`,
        scope: "organisation",
        kind: "policy",
        subject: "Hours",
        value: "Nine to five",
      },
    ],
  }),
  update_memory: () => ({ value: "Ten to six" }),
  make_export_part: () => ({ part: 1 }),
  resume_run: () => ({}),
  retry_run: () => ({}),
  erase_memories: () => ({ subjectKind: "third_party", subject: "No Such Person" }),
  start_run: () => ({ botId: absent, message: "Hello" }),
  create_routine: () => ({ botId: absent, name: "Daily", schedule: "0 9 * * *", message: "Hello" }),
  update_routine: () => ({ name: "Weekly" }),
  create_hook: () => ({ botId: absent, name: "Alerts" }),
  update_hook: () => ({ name: "Notices" }),
  create_webhook: () => ({ url: "https://receiver.example/hook", events: ["run.finished"] }),
  update_webhook: () => ({ description: "Changed" }),
  create_audit_stream: () => ({ url: "https://receiver.example/audit" }),
  update_audit_stream: () => ({ state: "paused" }),
  change_member: () => ({ role: "admin" }),
  create_invitation: () => ({ email: `request${++made}.${process.pid}@example.test` }),
  rename_organisation: () => ({ name: "Harbour" }),
  rotate_key: () => ({}),
  update_key: () => ({ name: "Deploy" }),
  batch: () => ({ operations: [{ method: "GET", path: "/bots" }] }),
  recover_webhook: () => ({ since: new Date().toISOString(), include: "failed" }),
  create_organisation: () => ({ name: "Acme", owner: { email: `request${++made}.${process.pid}@example.test` } }),
  create_owner_key: () => ({}),
};

/**
 * Operations on one row that could reveal a row of another organisation. Excluded: platform keys, which may see every
 * organisation, and posts to hooks, whose ids are not secret. (docs/decisions/0020-routines-and-hooks.md)
 */
export const rowOperations = operations.filter(
  ({ path, keyClass }) => path.includes("{") && keyClass === "organisation",
);

/** The path with this id. */
export const pathTo = (path: string, id = absent): string => path.replace(/\{\w+\}/, id);

/** Method, path with this id, and a valid body. */
export function requestOf(operation: Operation, id = absent): { method: string; path: string; body?: Json } {
  const { name, method, path } = operation;
  const body = bodies[name]?.();
  if (operation.body && !body) throw new Error(`There is no body for ${name} here.`);
  return { method: method.toUpperCase(), path: pathTo(path, id), ...(body ? { body } : {}) };
}
