/**
 * Executors of models that are killed inside and between the steps of their runs. What was recorded is not done again: no turn
 * is paid twice, no tool acts twice, and the answer is the same. (docs/specification/executors.md#keyed-steps)
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { urlAs } from "../../src/database/urls.ts";
import { priceModel } from "../support/model-fixture.ts";
import { calls, type ModelRequest, type ModelServer, says, startModelServer } from "../support/model-server.ts";
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { howMany, reportCounts } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";

const office = ownOfficeOfFile({ worker: false });
const children = new Set<ChildProcess>();
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
  // Sleeps, because a wait for a lock is ended by the role's lock_timeout.
  await office.db.sql(`
    create table public.holds (name text primary key);
    create function public.hold() returns trigger language plpgsql security definer as $$
    begin
      while exists (select from public.holds where name = tg_argv[0]) loop
        perform pg_sleep(0.02); -- between two looks at the table
      end loop;
      return new;
    end
    $$`);
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await server.close();
});

const slots = 7; // each with a connection, so that each run reaches the point
const processes = howMany(1, 3);
const note = (subject: string) => ({ scope: "bot", kind: "fact", subject, value: `${subject} is painted blue.` });
const turns = [calls(["remember", note("Pier 1")]), calls(["remember", note("Pier 2")]), says("Both are noted.")];
const keys = ["recall", "turn 1", "turn 1, call 1", "turn 2", "turn 2, call 1", "turn 3"];

type Hold = { holding(): Promise<number>; release(): Promise<void> };
type Turns = ReturnType<typeof scriptedTurns>;

/** Holds the turns after so many turns. `completed` has each turn that the service sent whole, with its conversation. */
function scriptedTurns(model: string) {
  const completed: string[] = [];
  let holding = 0;
  let gate: { after: number; opened: Promise<void> } | undefined;
  server.scripts.set(model, [
    async (response, request: ModelRequest) => {
      const number = request.messages.filter(({ role }) => role === "assistant").length;
      if (gate?.after === number) {
        holding += 1;
        await gate.opened;
      }
      response.once("finish", () =>
        completed.push(`${request.messages.find(({ role }) => role === "user")?.content} turn ${number + 1}`),
      );
      if (!response.destroyed) await turns[number]?.(response, request);
    },
  ]);
  return {
    completed,
    hold(after: number): Hold & { open(): void } {
      let open = () => {};
      gate = {
        after,
        opened: new Promise<void>((resolve) => {
          open = resolve;
        }),
      };
      return {
        open: () => open(),
        holding: async () => holding,
        release: async () => {
          gate = undefined;
          open();
          await endedSessions();
        },
      };
    },
  };
}

/** Holds each transaction that inserts such a row. */
async function holdInserts(table: string, condition: string): Promise<Hold> {
  const { sql } = office.db;
  const name = `hold_${randomUUID().replaceAll("-", "")}`;
  await sql("insert into public.holds values ($1)", [name]);
  await sql(`create trigger ${name} before insert on app.${table}
             for each row when (${condition}) execute function public.hold('${name}')`);
  return {
    async holding() {
      const [sleeping] = await sql<{ count: number }>(
        `select count(*)::integer from pg_stat_activity
         where datname = current_database() and application_name = 'botstead executor' and wait_event = 'PgSleep'`,
      );
      return sleeping?.count ?? 0;
    },
    async release() {
      await sql("delete from public.holds where name = $1", [name]);
      await endedSessions();
      await sql(`drop trigger ${name} on app.${table}`);
    },
  };
}

async function startProcesses(model: string): Promise<ChildProcess[]> {
  const program = fileURLToPath(new URL("../support/model-executor-child.ts", import.meta.url));
  const url = urlAs("runner", office.db.adminUrl, office.db.key);
  const started = Array.from({ length: processes }, () =>
    spawn(process.execPath, [program, url, server.url, `${slots}`], { stdio: ["ignore", "ignore", "inherit"] }),
  );
  for (const child of started) children.add(child);
  await eventually(async () => {
    const serving = await office.db.sql("select from app.executors where $1 = any (models)", [model]);
    return serving.length >= processes;
  });
  return started;
}

async function kill(killed: ChildProcess[]): Promise<void> {
  const ended = killed.map((child) => once(child, "exit"));
  for (const child of killed) child.kill("SIGKILL");
  await Promise.all(ended);
  await office.db.sql("delete from app.executors");
}

const endedSessions = () =>
  eventually(async () => {
    const [open] = await office.db.sql(
      "select from pg_stat_activity where datname = current_database() and application_name like 'botstead executor%'",
    );
    return open === undefined;
  });

const recorded = (ids: string[]) =>
  office.db.sql<{ run_id: string; key: string }>("select run_id, key from app.step_results where run_id = any ($1)", [
    ids,
  ]);

const booksOf = (id: string) =>
  office.db.sql(
    `select state, spend_micro_cents::integer as spend,
       (select json_agg(key order by number) from app.steps where run_id = run.id) as keys,
       (select json_agg(subject order by subject) from app.memories where run_id = run.id) as memories,
       (select json_agg(text) from app.messages where run_id = run.id and author = 'bot') as answers
     from app.runs run where id = $1`,
    [id],
  );

const insideTurn =
  (number: number) =>
  ({ turns }: { turns: Turns }) =>
    turns.hold(number - 1);

/** All runs get this turn at once, so that no transaction is held until its time-out while others come later. */
const togetherAfterTurn =
  (number: number, holdAt: () => Promise<Hold>) =>
  async ({ turns }: { turns: Turns }): Promise<Hold> => {
    const turn = turns.hold(number - 1);
    const { holding, release } = await holdAt();
    return {
      release,
      async holding() {
        if ((await turn.holding()) === slots * processes) turn.open();
        return holding();
      },
    };
  };
const inRecordOf = (key: string) => () => holdInserts("step_results", `new.key = '${key}'`);

test.each<[string, (at: { turns: Turns }) => Hold | Promise<Hold>]>([
  ["in the record of the search", inRecordOf("recall")],
  ["inside the first turn", insideTurn(1)],
  ["in the record of the first turn", togetherAfterTurn(1, inRecordOf("turn 1"))],
  ["inside the tool", togetherAfterTurn(1, () => holdInserts("memories", "new.subject = 'Pier 1'"))],
  ["in the record of the tool", togetherAfterTurn(1, inRecordOf("turn 1, call 1"))],
  ["between the tool and the next turn, inside the second turn", insideTurn(2)],
  ["inside the last turn", insideTurn(3)],
  ["in the record of the last turn", togetherAfterTurn(3, inRecordOf("turn 3"))],
  ["inside the end of the run", togetherAfterTurn(3, () => holdInserts("messages", "new.author = 'bot'"))],
])("runs whose executor is killed %s repeat nothing that was recorded, and answer the same", async (point, holdAt) => {
  const model = `model-${randomUUID()}`;
  await priceModel(office.db, model, { input: 1_000_000, output: 1_000_000 });
  const at = { turns: scriptedTurns(model) };
  const hold = await holdAt(at);
  const first = await startProcesses(model);
  const runs = await Promise.all(
    Array.from({ length: slots * processes }, async (_, number) => {
      const who = await customer(office, model);
      const message = `Note the piers of harbour ${number}.`;
      return { message, id: await who.run(message) };
    }),
  );
  await eventually(async () => (await hold.holding()) === runs.length);
  await kill(first);
  await hold.release();
  const ids = runs.map(({ id }) => id);
  const before = await recorded(ids);
  const completedBefore = at.turns.completed.length;

  await office.db.sql(
    "update app.runs set lease_until = now() - interval '1 second' where id = any ($1) and state = 'running'",
    [ids],
  );
  const second = await startProcesses(model);
  await eventually(async () => {
    const open = await office.db.sql("select from app.runs where id = any ($1) and state <> 'completed'", [ids]);
    return open.length === 0;
  });
  await kill(second);

  let lost = 0;
  for (const { id } of runs) {
    const [books] = await booksOf(id);
    const wanted = {
      state: "completed",
      spend: 330,
      keys,
      memories: ["Pier 1", "Pier 2"],
      answers: ["Both are noted."],
    };
    if (JSON.stringify(books) !== JSON.stringify(wanted)) lost += 1;
    expect(books).toEqual(wanted);
  }
  const repeated = before.filter(({ run_id, key }) => {
    const message = runs.find(({ id }) => id === run_id)?.message;
    return at.turns.completed.indexOf(`${message} ${key}`, completedBefore) >= 0;
  });
  reportCounts(`executors killed ${point}`, {
    acknowledged: runs.length,
    lost,
    doubled: repeated.length,
    unexpected: server.faults.length,
    note: `${before.length} steps recorded before`,
  });
  expect(repeated).toEqual([]);
  expect(server.faults).toEqual([]);
});
