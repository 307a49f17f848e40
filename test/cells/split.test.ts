/** The split of an installation in two cells while it is used, by the commands of docs/moves.md as programs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defaultQuietMs } from "../../src/api/server.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { memory } from "../moves/load.ts";
import { type TestApi, testApi, unlimitedBuckets } from "../support/api.ts";
import { makeKey, makeOrganisation } from "../support/database.ts";
import { command, killPrograms } from "../support/program.ts";
import { type TwoCells, twoCells } from "../support/two-cells.ts";

let cells: TwoCells;
let folder: string;
/** As behind a balancer: one of them is restarted at a time. */
const apis: TestApi[] = [];

beforeAll(async () => {
  cells = await twoCells();
  folder = mkdtempSync(join(tmpdir(), "botstead-split-"));
  writeFileSync(join(folder, "one.url"), cells.source.adminUrl, { mode: 0o600 });
  writeFileSync(join(folder, "two.url"), cells.target.adminUrl, { mode: 0o600 });
});
afterAll(async () => {
  await killPrograms();
  await Promise.all(apis.map((api) => api.stop()));
  rmSync(folder, { recursive: true, force: true });
  await cells?.end();
});

test("an installation becomes two cells while its organisations write: no call fails and every write is in one cell", async () => {
  const env = {
    DATABASE_URL: cells.source.adminUrl,
    MASTER_KEY: cells.source.masterKey,
    DIRECTORY_URL: urlOfDatabase("directory_of_split", cells.source.adminUrl),
    CELL: "one",
  };
  const run = async (args: string[], more: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await command(args, { cwd: folder, env: { ...env, ...more } });
    if (code !== 0) throw new Error(`${args.join(" ")}: ${code} ${stderr}${stdout}`);
    return stdout;
  };
  const as = ["--by", "Tess", "--reason", "Split"];
  const start = async (settings: Record<string, string> = {}) => {
    const api = await testApi(cells.source, settings, unlimitedBuckets());
    apis.push(api);
    return api;
  };
  const serving = [await start(), await start()];
  const organisations = await Promise.all(
    [1, 2].map(async () => {
      const { id, ownerId } = await makeOrganisation(cells.source);
      return { id, key: (await makeKey(cells.source, id, ownerId)).text, written: [] as string[] };
    }),
  );

  let isOver = false;
  const failed: string[] = [];
  const writers = organisations.map(async ({ key, written }) => {
    for (let number = 0; !isOver; number += 1) {
      const api = serving[number % serving.length] as TestApi;
      const { status, text } = await api.call("POST", "/memories", { key, body: memory(`write ${number}`) });
      if (status === 201) written.push(`write ${number}`);
      else failed.push(text);
      await sleep(20); // the rate of writes
    }
  });

  await run(["directory", "migrate"]);
  await run(["cell", "add", "one", "--url-file", "one.url", ...as]);
  await run(["cell", "add", "two", "--url-file", "two.url", ...as]);
  for (const place of [0, 1]) {
    const former = serving[place];
    serving[place] = await start({ DIRECTORY_URL: env.DIRECTORY_URL, CELL: "one" });
    await former?.stop(defaultQuietMs); // answers calls that arrive on kept connections meanwhile
  }
  const [moving, staying] = organisations as [(typeof organisations)[0], (typeof organisations)[0]];
  await run(["organisation", "move", moving.id, "--to", "two", "--target-url-file", "two.url", ...as]);
  const until = moving.written.length + 5;
  while (moving.written.length < until) await sleep(20); // writes after the move
  isOver = true;
  await Promise.all(writers);

  expect(failed).toEqual([]);
  expect((await run(["organisation", "list"])).trim().split("\n").toSorted()).toEqual(
    [`${moving.id}\ttwo`, `${staying.id}\tone`].toSorted(),
  );
  for (const [{ id, written }, here, elsewhere] of [
    [moving, cells.target, cells.source],
    [staying, cells.source, cells.target],
  ] as const) {
    const values = async (cell: typeof here) =>
      (await cell.sql<{ value: string }>("select value from app.memories where organisation_id = $1", [id])).map(
        ({ value }) => value,
      );
    expect((await values(here)).toSorted()).toEqual(written.toSorted());
    expect(await values(elsewhere)).toEqual([]);
  }
  // Also where the organisation was, which keeps its log.
  for (const cell of [cells.source, cells.target]) await run(["audit", "verify"], { DATABASE_URL: cell.adminUrl });
});
