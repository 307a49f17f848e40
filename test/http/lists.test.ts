/** Lists: newest first, paged by cursors that belong to one list. (docs/specification/conventions.md#lists) */
import { operations } from "../../src/contract/operations.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { raiseApproval } from "../support/approvals.ts";
import { type Caller, type Member, ownApiOfFile } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";

const here = ownApiOfFile();
const newMemory = (value: string) => ({ scope: "organisation", kind: "k", subject: "s", value });

type List = { path: string; ids: string[]; caller: Caller };

/** For each list operation: a list of at least three rows, newest first. */
const lists: Record<string, (ada: Member) => Promise<List>> = {
  list_keys: async (ada) => {
    const more = [await ada.post("/keys", { name: "2" }), await ada.post("/keys", { name: "3" })];
    return { path: "/keys", ids: [...more.map(({ body }) => body.id).reverse(), ada.key.id], caller: ada };
  },
  list_audit: async (ada) => {
    const rows = await here.db.sql<{ id: string }>(
      "select id from app.audit_log where organisation_id = $1 order by sequence desc",
      [ada.organisation.id],
    );
    return { path: "/audit", ids: rows.map(({ id }) => id), caller: ada };
  },
  list_members: async (ada) => {
    const ids = [ada.organisation.ownerId];
    for (const role of ["admin", "member"] as const) ids.unshift(await makeMember(here.db, ada.organisation.id, role));
    return { path: "/members", ids, caller: ada };
  },
  list_invitations: (ada) => {
    let made = 0;
    return three(ada, "/invitations", () => ({ email: `guest${++made}.of.${ada.organisation.id}@example.test` }));
  },
  list_exports: (ada) => three(ada, "/exports"),
  list_portal_sessions: (ada) => three(ada, "/portal-sessions", {}),
  list_bots: (ada) => three(ada, "/bots", { name: "Ada" }),
  list_memories: (ada) => three(ada, "/memories", newMemory("v")),
  list_memory_history: async (ada) => {
    const { body: memory } = await ada.post("/memories", newMemory("0"));
    for (const value of ["1", "2", "3"]) await ada.patch(`/memories/${memory.id}`, { value });
    const path = `/memories/${memory.id}/history`;
    const rows = await here.db.sql<{ id: string }>(
      "select id from app.memory_history where memory_id = $1 order by id desc",
      [memory.id],
    );
    return { path, ids: rows.map(({ id }) => id), caller: ada };
  },
  list_runs: async (ada) => {
    const { body: bot } = await ada.post("/bots", { name: "Ada" });
    return three(ada, "/runs", { botId: bot.id, message: "Hi" });
  },
  list_routines: async (ada) => {
    const { body: bot } = await ada.post("/bots", { name: "Ada" });
    return three(ada, "/routines", { botId: bot.id, name: "Daily", schedule: "0 9 * * *", message: "Hi" });
  },
  list_hooks: async (ada) => {
    const { body: bot } = await ada.post("/bots", { name: "Ada" });
    return three(ada, "/hooks", { botId: bot.id, name: "Alerts" });
  },
  list_run_messages: async (ada) => {
    const { body: bot } = await ada.post("/bots", { name: "Ada" });
    const { body: run } = await ada.post("/runs", { botId: bot.id, message: "Hi" });
    await here.db.sql(
      `insert into app.messages (organisation_id, conversation_id, run_id, author, text)
       select organisation_id, conversation_id, id, 'bot', 'answer' from app.runs, generate_series(1, 2) where id = $1`,
      [run.id],
    );
    const rows = await here.db.sql<{ id: string }>("select id from app.messages where run_id = $1 order by id desc", [
      run.id,
    ]);
    return { path: `/runs/${run.id}/messages`, ids: rows.map(({ id }) => id), caller: ada };
  },
  list_approvals: async (ada) => {
    const { body: bot } = await ada.post("/bots", { name: "Ada" });
    const { body: run } = await ada.post("/runs", { botId: bot.id, message: "Hi" });
    const ids = [];
    for (let made = 0; made < 3; made += 1) ids.unshift(await raiseApproval(here.db, run.id));
    return { path: "/approvals", ids, caller: ada };
  },
  list_run_steps: async (ada) => {
    const { body: bot } = await ada.post("/bots", { name: "Ada" });
    const { body: run } = await ada.post("/runs", { botId: bot.id, message: "Hi" });
    await here.db.sql(
      `insert into app.steps (organisation_id, run_id, number, kind)
       select organisation_id, id, number, 'think' from app.runs, generate_series(1, 12) number where id = $1`,
      [run.id],
    );
    const ids = Array.from({ length: 12 }, (_, before) => String(12 - before)); // numbers of more than one digit must sort as numbers
    return { path: `/runs/${run.id}/steps`, ids, caller: ada };
  },
  list_webhooks: (ada) => three(ada, "/webhooks", { url: "https://receiver.example/", events: ["run.finished"] }),
  list_deliveries: async (ada) => {
    const { body: endpoint } = await ada.post("/webhooks", {
      url: "https://receiver.example/",
      events: ["run.finished"],
    });
    const { ids } = await three(ada, `/webhooks/${endpoint.id}/test`);
    return { path: `/webhooks/${endpoint.id}/deliveries`, ids, caller: ada };
  },
  list_organisations: async () => {
    const caller = await here.platform();
    const found = { name: "Acme", owner: { email: "lists@example.test" } };
    await three(caller, "/platform/organisations", found);
    const rows = await here.db.sql<{ id: string }>("select id from app.organisations order by id desc");
    return { path: "/platform/organisations", ids: rows.map(({ id }) => id), caller };
  },
};

async function three(caller: Caller, path: string, body?: Json | (() => Json)): Promise<List> {
  const ids: string[] = [];
  for (let each = 0; each < 3; each += 1) {
    ids.unshift((await caller.post(path, typeof body === "function" ? body() : body)).body.id);
  }
  return { path, ids, caller };
}

test("Every list operation of the contract is tested here", () => {
  const names = operations.filter((operation) => operation.list).map((operation) => operation.name);
  expect(names.toSorted()).toEqual(Object.keys(lists).toSorted());
});

describe.each(Object.entries(lists))("%s", (name, make) => {
  test("is newest first, ends with a null cursor, and continues after its cursor", async () => {
    const { path, ids, caller } = await make(await here.owner());
    const page = async (query: string) => expectAnswer(name, await caller.get(`${path}?${query}`));
    const whole = await page("limit=200");
    expect(whole.data.map((row: Json) => row.id ?? row.userId ?? String(row.number))).toEqual(ids);
    expect(whole.nextCursor).toBeNull();

    const first = await page(`limit=${ids.length - 1}`);
    expect(first.data).toEqual(whole.data.slice(0, -1));
    expect(first.nextCursor).toEqual(expect.any(String));
    expect(await page(`limit=1&cursor=${first.nextCursor}`)).toEqual({ data: whole.data.slice(-1), nextCursor: null });
    expect(await page(`limit=${ids.length}`)).toEqual(whole);
    const walked: Json[] = [];
    for (let cursor = ""; ; ) {
      const one = await page(`limit=1${cursor}`);
      walked.push(...one.data);
      if (one.nextCursor === null) break;
      cursor = `&cursor=${one.nextCursor}`;
    }
    expect(walked).toEqual(whole.data);
  });

  test("accepts a limit from 1 to 200 and only cursors of its own", async () => {
    const { path, caller } = await make(await here.owner());
    for (const limit of ["1", "2", "199", "200"]) expectAnswer(name, await caller.get(`${path}?limit=${limit}`));
    for (const limit of ["0", "201", "-1", "1.5", "1e2", "ten", "", "%2B5", "0x10", "9".repeat(99), "٣", "5%00"]) {
      expectRefusal(await caller.get(`${path}?limit=${limit}`), "invalid_request", ["query.limit"]);
    }
    const { nextCursor } = (await caller.get(`${path}?limit=1`)).body;
    for (const cursor of [
      "x",
      nextCursor.slice(1),
      `${nextCursor}0`,
      `${nextCursor.slice(0, -1)}g`,
      "0".repeat(40),
      "%00",
    ]) {
      expectRefusal(await caller.get(`${path}?cursor=${cursor}`), "invalid_request", ["query.cursor"]);
    }
    expectRefusal(await caller.get(`${path}?limit=1&limit=1`), "invalid_request", ["query.limit"]);
    expectRefusal(await caller.get(`${path}?cursor=${nextCursor}&cursor=${nextCursor}`), "invalid_request", [
      "query.cursor",
    ]);
  });
});

test("A cursor of one list is refused by another list, also of another run", async () => {
  const ada = await here.owner();
  const bots = await three(ada, "/bots", { name: "Ada" });
  await three(ada, "/memories", newMemory("v"));
  const runs = await three(ada, "/runs", { botId: bots.ids[0], message: "Hi" });
  const cursors = new Map<string, string>();
  for (const path of ["/bots", "/memories", "/runs"])
    cursors.set(path, (await ada.get(`${path}?limit=1`)).body.nextCursor);
  for (const [from, cursor] of cursors) {
    for (const to of [...cursors.keys(), `/runs/${runs.ids[0]}/messages`]) {
      const reply = await ada.get(`${to}?cursor=${cursor}`);
      if (from === to) expect(reply.status).toBe(200);
      else expectRefusal(reply, "invalid_request", ["query.cursor"]);
    }
  }
});

test("A cursor used by another organisation returns that organisation's own rows", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const hers = await three(eve, "/bots", { name: "Eve's" });
  await three(ada, "/bots", { name: "Ada's" });
  const { nextCursor } = (await ada.get("/bots?limit=1")).body;
  const seen = expectAnswer("list_bots", await eve.get(`/bots?cursor=${nextCursor}`));
  expect(seen.data.map((row: Json) => row.id)).toEqual(hers.ids);
});

test("Paging skips and repeats no row while others write", async () => {
  const ada = await here.owner();
  const insert = `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
    select $1, 'organisation', 'k', 's', 'v', 'member', 'api' from generate_series(1, $2) returning id`;
  const before = await here.db.sql<{ id: string }>(insert, [ada.organisation.id, 230]);
  const begun = (await ada.get("/memories?limit=1")).body.data[0].id;

  let walking = true;
  const writers = [1, 2].map(async (writer) => {
    for (let count = 0; walking && count < 100; count += 1) await ada.post("/memories", newMemory(`${writer}`));
  });
  const seen: string[] = [];
  for (let cursor = ""; ; ) {
    const page = expectAnswer("list_memories", await ada.get(`/memories?limit=7${cursor}`));
    seen.push(...page.data.map((row: Json) => row.id));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  walking = false;
  await Promise.all(writers);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(seen.toSorted().reverse());
  expect(seen.filter((id) => id <= begun)).toEqual(
    before
      .map(({ id }) => id)
      .toSorted()
      .reverse(),
  );
  const [{ count } = { count: 0 }] = await here.db.sql<{ count: number }>(
    "select count(*)::int from app.memories where organisation_id = $1",
    [ada.organisation.id],
  );
  expect(count).toBeGreaterThan(230);
});
