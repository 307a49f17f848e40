/** Each cell of docs/specification/portal.md#roles against the answers of the API. */

import { openApiDocument } from "../../src/api/openapi/document.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { type Documented, readDocument } from "../contract/document.ts";
import { type ContractFixture, makeContractFixture } from "../contract/fixture.ts";
import { unlimitedBuckets } from "../support/api.ts";
import { raiseApproval } from "../support/approvals.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { makeKey, makeMember, setLimits } from "../support/database.ts";
import { callAs, openSession, type PortalSession } from "../support/portal-session.ts";
import { cellOf, type Role, roleTable, sectionOperations } from "../support/role-table.ts";

const here = ownApiOfFile({}, unlimitedBuckets());
const documented = readDocument(openApiDocument("")).operations;

type Session = PortalSession & { name: string; role: Role; forAnother: boolean; person: string };

let fixture: ContractFixture;
/** In the order of their rights, the least first. */
let sessions: Session[];
/** The other person, who owns the rows. */
let other: { id: string; key: string };

beforeAll(async () => {
  fixture = await makeContractFixture(here.db, here.api);
  await setLimits(here.db, fixture.organisationId, {
    liveHooks: 1_000,
    liveRoutines: 1_000,
    webhookStartsPerHour: 1_000,
  });
  const { organisationId, admin } = fixture;
  const ownerId = await fixture.row("owner");
  const made = (role: Role) => makeMember(here.db, organisationId, role);
  const keyOf = async (person: string) => (await makeKey(here.db, organisationId, person, "admin")).text;
  const open = async (name: string, role: Role, person: string, key = admin): Promise<Session> => {
    const link = await here.api.call("POST", "/portal-sessions", { key, body: { personId: person } });
    const forAnother = key === admin && person !== ownerId;
    return { name, role, person, forAnother, ...(await openSession(here.api.url, link.body.url)) };
  };
  const [adminId, thirdId] = [await made("admin"), await made("owner")];
  sessions = [
    await open("a member's", "member", await made("member")),
    await open("an admin's, for another", "admin", await made("admin")),
    await open("an owner's, for another", "owner", await made("owner")),
    await open("an admin's own", "admin", adminId, await keyOf(adminId)),
    await open("an owner's own", "owner", ownerId),
  ];
  other = { id: thirdId, key: await keyOf(thirdId) };
});

type Outcome = { status: number; reason: string | null; body: { id: string; data: { id: string }[] } };

async function as(session: Session, method: string, path: string, body?: unknown): Promise<Outcome> {
  const answer = await callAs(here.api.url, session, path, { method, body });
  return { status: answer.status, reason: answer.headers.get("x-botstead-reason"), body: answer.body };
}

const send = async (session: Session, { id, method, path }: Documented, row: string, body: unknown) => {
  const { status, reason } = await as(session, method, path.replace(/\{\w+\}/, row), body);
  return { id, session: session.name, status, reason };
};

const ok = { status: 200, reason: null };
const refused = (reason: string) => ({ status: 403, reason });
const hidden = { status: 404, reason: null };

/** A row of a person with another bot, made by its key and given to the person. */
async function rowOfPerson(kind: "bots" | "routines" | "hooks" | "runs", person: string, visibility = "team") {
  const make = async (path: string, body: object) =>
    (await here.api.call("POST", path, { key: other.key, body })).body.id as string;
  const bot = await make("/bots", { name: "Ada", visibility });
  const own = (table: string, column: string, id: string) =>
    here.db.sql(`update app.${table} set ${column} = $2 where id = $1`, [id, person]);
  if (kind === "bots") {
    await own("bots", "owner_id", bot);
    return bot;
  }
  if (kind === "runs") return runOf(person, bot);
  const schedule = kind === "routines" ? { schedule: "0 9 * * *", message: "Hello" } : {};
  const id = await make(`/${kind}`, { botId: bot, name: "Daily", ...schedule });
  await own(kind, "created_by", id);
  return id;
}

async function ownOrOther(operation: Operation, person: string): Promise<string> {
  const row = await rowOfPerson(kindOf(operation), person);
  if (operation.name === "resume_run") await block(row);
  if (operation.name === "retry_run") await here.db.sql("update app.runs set state = 'cancelled' where id = $1", [row]);
  return row;
}

const block = async (run: string) => {
  for (const state of ["running", "blocked"]) {
    const lease = state === "running" ? ", lease_id = uuidv7()" : "";
    await here.db.sql(`update app.runs set state = '${state}'${lease} where id = $1`, [run]);
  }
};

const kindOf = ({ path }: Operation) => path.split("/")[1] as "bots" | "routines" | "hooks" | "runs";
const changeOf: Record<string, object> = {
  update_bot: { name: "Bob" },
  update_routine: { message: "Bye" },
  update_hook: { name: "Bob" },
  make_export_part: { part: 1 },
};
const paused = { state: "paused" };

/** The answers of an operation to a session: on rows [kind of row, body, expected answer]. By cells other than yes and no. */
type Attempt = [row: () => Promise<string>, body: unknown, expected: { status: number; reason: unknown }];
const cells: Record<string, (session: Session, operation: Operation) => Attempt[]> = {
  "bots they see": ({ person }, operation) => [
    [() => rowOfPerson(kindOf(operation), other.id), changeOf[operation.name], ok],
    [() => rowOfPerson(kindOf(operation), person), changeOf[operation.name], ok],
    [() => rowOfPerson(kindOf(operation), other.id, "personal"), changeOf[operation.name], hidden],
  ],
  "their own, else `not_own_bot`": ({ person }, operation) => [
    [() => rowOfPerson("bots", person), changeOf[operation.name], ok],
    [() => rowOfPerson("bots", other.id), changeOf[operation.name], refused("not_own_bot")],
    [() => rowOfPerson("bots", other.id, "personal"), changeOf[operation.name], hidden],
  ],
  "team bots": () => [
    [async () => "", { name: "Ada", visibility: "team" }, { status: 201, reason: null }],
    [async () => "", { name: "Ada", visibility: "personal" }, refused("outside_portal_session")],
  ],
  "their own; of others, pause": ({ person }, operation) => [
    [() => rowOfPerson(kindOf(operation), person), changeOf[operation.name], ok],
    [() => rowOfPerson(kindOf(operation), other.id), changeOf[operation.name], refused("not_creator")],
    [() => rowOfPerson(kindOf(operation), other.id), paused, ok],
    [() => rowOfPerson(kindOf(operation), other.id, "personal"), paused, hidden],
  ],
  "their own, else 403": ({ person }, operation) => [
    [() => ownOrOther(operation, person), undefined, { status: operation.status, reason: null }],
    [() => ownOrOther(operation, other.id), undefined, { status: 403, reason: expect.any(String) }],
  ],
  "owners, else `owners_only`": ({ role }, { name, status }) => [
    [() => fixture.row("export"), changeOf[name], role === "owner" ? { status, reason: null } : refused("owners_only")],
  ],
  pause: ({ person }, operation) => [
    [() => rowOfPerson(kindOf(operation), person), changeOf[operation.name], refused("not_creator")],
    [() => rowOfPerson(kindOf(operation), person), paused, ok],
    [() => rowOfPerson(kindOf(operation), other.id), paused, ok],
    [() => rowOfPerson(kindOf(operation), other.id, "personal"), paused, hidden],
  ],
};

/** Deletions last, since several operations use one row. */
const inOrder = sectionOperations.toSorted(
  (one, two) => Number(one.method === "delete") - Number(two.method === "delete"),
);

test.each(inOrder.map((operation) => [operation.name, operation] as const))(
  "%s answers each session as the table says",
  async (name, operation) => {
    const call = documented.find(({ id }) => id === name) as Documented;
    await fixture.prepare(call);
    const allowed: number[] = [];
    for (const session of sessions) {
      const cell = cellOf(operation, session.role, session.forAnother);
      const attempts = cells[cell]?.(session, operation);
      for (const [row, body, expected] of attempts ?? []) {
        const answer = await send(session, call, await row(), body);
        expect(answer).toEqual({ id: name, session: session.name, ...expected });
      }
      if (attempts) continue;
      const answer = await send(session, call, await fixture.pathId(call), await fixture.example(call));
      const isRefused = [401, 403].includes(answer.status);
      expect([answer.session, cell, isRefused]).toEqual([answer.session, isRefused ? "no" : "yes", isRefused]);
      if (isRefused) expect(answer).toMatchObject(refused("outside_portal_session"));
      else allowed.push(answer.status);
    }
    // A deletion or rotation succeeds for the first session; the row is gone for the others.
    if (allowed.length > 0) expect([name, Math.min(...allowed) < 300]).toEqual([name, true]);
  },
);

test("a session names the operations of its pages as the table says", async () => {
  for (const session of sessions) {
    const { body } = await as(session, "GET", "/portal-session");
    const named = Object.values((body as unknown as { operations: Record<string, string[]> }).operations).flat();
    const may = sectionOperations.filter((each) => cellOf(each, session.role, session.forAnother) !== "no");
    expect([session.name, named.toSorted()]).toEqual([session.name, may.map(({ name }) => name).toSorted()]);
  }
});

test("private rows are read in a person's own session alone", async () => {
  const [cell] = roleTable.filter(({ operations }) => operations.startsWith("reads of personal bots"));
  expect(cell).toMatchObject({ admin: "their own", member: "no", another: "no" });
  for (const session of sessions) {
    const own = await privateRows(session.person);
    const theirs = await privateRows(other.id);
    for (const [index, path] of own.entries()) {
      const expected = session.forAnother ? 404 : 200;
      expect([session.name, path, (await as(session, "GET", path)).status]).toEqual([session.name, path, expected]);
      expect((await as(session, "GET", theirs[index] ?? "")).status).toBe(404);
    }
    for (const list of ["/bots?limit=200", "/memories?limit=200", "/memories?q=black", "/approvals?limit=200"]) {
      const listed = (await as(session, "GET", list)).body.data.map(({ id }) => id);
      const [mine, not] = [own, theirs].map((paths) =>
        paths.filter((path) => listed.includes(path.split("/")[2] ?? "")),
      );
      expect([session.name, list, mine?.length, not]).toEqual([session.name, list, session.forAnother ? 0 : 1, []]);
    }
  }
});

/** Paths of a personal bot, a memory of scope member, the messages of a run, and an approval of the person. */
async function privateRows(person: string): Promise<string[]> {
  const { organisationId } = fixture;
  const bot = await rowOfPerson("bots", person, "personal");
  const [memory] = await here.db.sql<{ id: string }>(
    `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source, created_by)
     values ($1, 'member', $2, 'note', 'Tea', 'Takes it black', 'member', 'app', $2) returning id`,
    [organisationId, person],
  );
  const run = await runOf(person, await rowOfPerson("bots", person));
  return [
    `/bots/${bot}`,
    `/memories/${memory?.id}`,
    `/runs/${run}/messages`,
    `/approvals/${await raiseApproval(here.db, run)}`,
  ];
}

/** A run in a conversation of the person. */
async function runOf(person: string, bot: string): Promise<string> {
  const [run] = await here.db.sql<{ id: string }>(
    `select runs.start(organisation::uuid, $2, $3, 'webhook', 'Hello') as id
     from set_config('caller.organisation_id', $1, true) organisation`,
    [fixture.organisationId, person, bot],
  );
  return run?.id ?? "";
}
