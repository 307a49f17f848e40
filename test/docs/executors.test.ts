/** docs/specification/executors.md names every function that an executor may call, with its arguments, and no other. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Pool } from "pg";
import { leased, workplace } from "../support/hand-executor.ts";
import { officeOfFile } from "../support/post-office.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/specification/executors.md", import.meta.url)), "utf8");

let pool: Pool;
const office = officeOfFile();
beforeAll(async () => {
  pool = office.db.poolAs("runner");
});

test("the page has a heading for each function with its argument names", async () => {
  const functions = await office.db.sql<{ call: string }>(
    `select format('runner.%s(%s)', proname, array_to_string(proargnames[1:pronargs], ', ')) as call
     from pg_proc
     where pronamespace = 'runner'::regnamespace and has_function_privilege('runner', oid, 'execute')`,
  );
  const named = [...page.matchAll(/^### `(.+)`$/gm)].map(([, call]) => call);
  expect(named.toSorted()).toEqual(functions.map(({ call }) => call).toSorted());
});

test("the page has a row for each field of a leased run", async () => {
  const at = await workplace(office, pool);
  await at.who.run();
  const named = [...page.matchAll(/^\| (`.+?`(?:, `.+?`)*) \|/gm)].flatMap(([, names]) =>
    [...(names ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(named).toEqual(expect.arrayContaining(Object.keys(await leased(at.executor))));
});

test("the page names the SQLSTATEs that occur", async () => {
  const at = await workplace(office, pool);
  await at.who.run();
  const run = await leased(at.executor);
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => "none",
      ({ code }: { code: string }) => code,
    );
  expect(await codeOf(at.executor.propose(run, { scope: "nowhere" }))).toBe("OA001");
  expect(await codeOf(at.executor.step(run, -1))).toBe("22023");
  expect(await codeOf(at.executor.finish(run, ""))).toBe("23514");
  expect(await codeOf(pool.query("select from app.runs"))).toBe("42501");
  await at.executor.finish(run); // the errors above did not end its lease
  expect(await codeOf(at.executor.finish(run))).toBe("OA002");
});
