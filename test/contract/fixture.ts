/**
 * An organisation in which the document's examples can be called. A row that an example names by its example id is created
 * on first use.
 */
import { ids, times } from "../../src/contract/examples.ts";
import type { Json, Reply, TestApi } from "../support/api.ts";
import { raiseApproval } from "../support/approvals.ts";
import { testCheckpoints } from "../support/checkpoints.ts";
import { makeKey, makeMember, makeOrganisation, makePlatformKey, type TestDatabase } from "../support/database.ts";
import type { Documented } from "./document.ts";

type Row = keyof typeof ids;

export type ContractFixture = {
  organisationId: string;
  /** A key of scope admin. */
  admin: string;
  /** A platform key. */
  platform: string;
  /** A key that may call the operation. */
  keyFor(operation: Documented): string;
  /** The id of the row in place of the example's; created on first use. */
  row(name: Row): Promise<string>;
  /** Creates the rows that the operation's example names. */
  prepare(operation: Documented): Promise<void>;
  /** The body of the operation's example with real ids; undefined without a body. */
  example(operation: Documented): Promise<Json | undefined>;
  /** The real id for the operation's path; "" without one. */
  pathId(operation: Documented): Promise<string>;
  /** Sends the operation's example with these changes. */
  send(operation: Documented, changes?: Changes): Promise<Reply<Json>>;
  as(method: string, path: string, body?: unknown): Promise<Reply<Json>>;
  /** POSTs and returns the id of the new row. @throws Error if it is refused */
  created(path: string, body?: unknown): Promise<string>;
};

export type Changes = {
  body?: unknown;
  raw?: string;
  query?: string;
  key?: string | undefined;
  idempotencyKey?: string | null;
  headers?: Record<string, string>;
  /** Another API over the same database. */
  api?: TestApi;
  /** Replaces the id in the path. */
  id?: string;
};

export async function makeContractFixture(
  db: TestDatabase,
  api: TestApi,
  kind: "team" | "personal" = "team",
): Promise<ContractFixture> {
  const organisation = await makeOrganisation(db, { kind });
  const admin = (await makeKey(db, organisation.id, organisation.ownerId, "admin")).text;
  const platform = (await makePlatformKey(db)).text;
  const made = new Map<Row, Promise<string>>();
  const as: ContractFixture["as"] = (method, path, body) => api.call(method, path, { key: admin, body });
  const done = async (method: string, path: string, body?: unknown) => {
    const reply = await as(method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path} was refused: ${reply.text}`);
    return reply.body;
  };
  const created: ContractFixture["created"] = async (path, body) => (await done("POST", path, body)).id;

  const makers: Partial<Record<Row, () => Promise<string>>> = {
    organisation: async () => organisation.id,
    owner: async () => organisation.ownerId,
    member: () => makeMember(db, organisation.id, "member"),
    key: () => created("/keys", { name: "Another" }),
    portalSession: () => created("/portal-sessions", { sections: ["bots"] }),
    export: () => created("/exports"),
    bot: () => created("/bots", { name: "Ada" }),
    memory: async () => {
      const id = await created("/memories", {
        scope: "organisation",
        kind: "note",
        subject: "Harbour",
        value: "Deep.",
      });
      await done("PATCH", `/memories/${id}`, { value: "It is deep." });
      return id;
    },
    run: async () =>
      created("/runs", { botId: await row("bot"), message: "How deep is it?", metadata: { order: "4711" } }),
    routine: async () =>
      created("/routines", { botId: await row("bot"), name: "Daily", schedule: "0 9 * * *", message: "Hello" }),
    hook: async () => created("/hooks", { botId: await row("bot"), name: "Alerts" }),
    webhook: () => created("/webhooks", { url: "https://receiver.example/hook", events: ["run.finished"] }),
    delivery: async () => {
      const id = await created(`/webhooks/${await row("webhook")}/test`);
      await db.sql("update app.deliveries set state = 'failed', next_attempt_at = null where id = $1", [id]);
      return id;
    },
    approval: async () => raiseApproval(db, await row("run")),
    invitation: async () => (await invite(db, organisation)).id,
    auditEntry: async () => {
      await testCheckpoints(db).run();
      const [entry] = await db.sql<{ id: string }>(
        "select id from app.audit_log where organisation_id = $1 order by id limit 1",
        [organisation.id],
      );
      if (!entry) throw new Error("the audit log is empty");
      return entry.id;
    },
    event: async () => {
      await row("webhook");
      await endRun();
      const made = "select id from app.events where organisation_id = $1";
      const [event] = await db.sql<{ id: string }>(made, [organisation.id]);
      if (!event) throw new Error("no event was made");
      return event.id;
    },
  };

  function row(name: Row): Promise<string> {
    const maker = makers[name];
    if (!maker) throw new Error(`No request names the example of a ${name}.`);
    const making = made.get(name) ?? maker();
    made.set(name, making);
    return making;
  }

  /** Sets the state that the operation's example needs. */
  const endRun = async () => as("POST", `/runs/${await row("run")}/cancel`);
  // Not by "on conflict", which would wait for a call that changes the stream.
  const stream = () =>
    db.sql(
      `insert into app.audit_streams (organisation_id, url, secret_sealed)
       select $1, 'https://siem.example/', 'sealed' where not exists (select from app.audit_streams where organisation_id = $1)`,
      [organisation.id],
    );
  const ready: Record<string, () => Promise<unknown>> = {
    get_audit_stream: stream,
    update_audit_stream: stream,
    delete_audit_stream: stream,
    rotate_audit_stream_secret: stream,
    create_audit_stream: () => db.sql("delete from app.audit_streams where organisation_id = $1", [organisation.id]),
    // In SQL, like retry_run. A part that was read needs no other.
    finish_export: async () =>
      db.sql(
        `insert into app.export_parts (organisation_id, export_id, number, counts, lines, hash, chain)
         select organisation_id, id, 1, '{}', 0, repeat('0', 64), repeat('0', 64) from app.exports export
         where id = $1 and finished_at is null and not exists (select from app.export_parts part where part.export_id = export.id)`,
        [await row("export")],
      ),
    get_run: endRun, // with `wait`, the request would wait for the end
    watch_run: endRun,
    list_run_steps: async () =>
      db.sql(
        `insert into app.steps (organisation_id, run_id, number, kind) values ($1, $2, 1, 'recall') on conflict do nothing`,
        [organisation.id, await row("run")],
      ),
    // In SQL: a call would wait in a test that locks the stored responses.
    retry_run: async () =>
      db.sql("update app.runs set state = 'cancelled' where id = $1 and state = 'queued'", [await row("run")]),
    resume_run: async () => {
      const run = await row("run");
      await db.sql("update app.runs set state = 'running', lease_id = uuidv7() where id = $1 and state = 'queued'", [
        run,
      ]);
      await db.sql("update app.runs set state = 'blocked' where id = $1 and state = 'running'", [run]);
    },
  };

  /** Replaces example ids with real ids, and the example's time with a recent one. */
  async function real(text: string): Promise<string> {
    let filled = text.replaceAll(times.outage, new Date(Date.now() - 3_600_000).toISOString());
    for (const [name, id] of Object.entries(ids)) {
      if (filled.includes(id)) filled = filled.replaceAll(id, await row(name as Row));
    }
    return filled;
  }

  const example: ContractFixture["example"] = async (operation) =>
    operation.example && JSON.parse(await real(JSON.stringify(operation.example)));

  const pathId: ContractFixture["pathId"] = (operation) =>
    real(operation.parameters.find((each) => each.in === "path")?.example ?? "");
  const keyFor = (operation: Documented) => (operation.platform ? platform : admin);
  return {
    organisationId: organisation.id,
    admin,
    platform,
    keyFor,
    pathId,
    row,
    as,
    created,
    example,
    async prepare(operation) {
      await real(JSON.stringify([operation.parameters, operation.example ?? null]));
      await ready[operation.id]?.();
    },
    async send(operation, changes = {}) {
      const { api: at = api, id, query = "", ...options } = changes;
      const path = operation.path.replace(/\{\w+\}/, id ?? (await pathId(operation)));
      if (!id) await ready[operation.id]?.();
      const sent = "raw" in options || "body" in options ? {} : { body: await example(operation) };
      return at.call(operation.method, path + query, { key: keyFor(operation), ...sent, ...options });
    },
  };
}

/** Inserts an invitation, also in an organisation that may not invite. */
async function invite(db: TestDatabase, { id, ownerId }: { id: string; ownerId: string }): Promise<{ id: string }> {
  const [invitation] = await db.sql<{ id: string }>(
    `insert into app.invitations (organisation_id, email, role, invited_by, token_digest)
     values ($1, 'nils.' || gen_random_uuid() || '@harbour.example', 'member', $2, sha256(gen_random_uuid()::text::bytea))
     returning id`,
    [id, ownerId],
  );
  if (!invitation) throw new Error("no invitation was made");
  return invitation;
}
