/** The directory forgets an organisation whose deletion has ended, in whichever cell. (docs/leaving.md) */

import type { DatabaseApi } from "../../src/api/one-database.ts";
import { forgetDeleted } from "../../src/cells/deleted.ts";
import { openDirectory } from "../../src/cells/directory/directory.ts";
import { openApiPools } from "../../src/database/connections/api-pools.ts";
import { urlAs } from "../../src/database/urls.ts";
import { deletionsOf } from "../deletion/fixture.ts";
import type { TestApi } from "../support/api.ts";
import { makeKey, makeOrganisation, type TestDatabase } from "../support/database.ts";
import { type DirectedCells, directedCells } from "../support/directory.ts";

let cells: DirectedCells;
let api: TestApi;
beforeAll(async () => {
  cells = await directedCells();
  api = await cells.api("one");
});
afterAll(async () => {
  await api?.stop();
  await cells?.end();
});

async function known(cell: TestDatabase) {
  const { id, ownerId } = await makeOrganisation(cell);
  const { text: key, digest } = await makeKey(cell, id, ownerId);
  expect((await api.call("GET", "/me", { key })).status).toBe(200);
  return { id, key, digest };
}

test("the entry of a deleted organisation and digests of its credentials are removed, and of no other, also after they came back", async () => {
  const own = await known(cells.target);
  const stays = [await known(cells.target), await known(cells.source)];
  const waiting = await known(cells.target);
  const entries = async () =>
    (
      await cells.directory.rows<{ entry: string }>(
        `select id || ' in ' || cell as entry from directory.organisations where id = any ($1)
         union all select encode(digest, 'hex') from directory.credentials where organisation_id = any ($1) order by 1`,
        [[own, waiting, ...stays].map(({ id }) => id)],
      )
    ).map(({ entry }) => entry);
  const before = await entries();
  expect(before).toHaveLength(8);
  const withoutOwn = before.filter((entry) => !entry.startsWith(own.id) && entry !== own.digest.toString("hex"));

  const { source, target, directoryUrl } = cells;
  const directory = openDirectory(urlAs("server", directoryUrl, source.key), "botstead api");
  const pools = [source, target].map((cell) => openApiPools(urlAs("server", cell.adminUrl, cell.key)));
  const named = new Map(pools.map((each, index) => [String(index), { pools: each } as DatabaseApi]));
  const forget = () => forgetDeleted({ all: async () => named }, directory);

  const deletions = await deletionsOf(target);
  for (const { id } of [own, waiting]) await deletions.schedule(id);
  await forget();
  expect(await entries()).toEqual(before);
  await deletions.passWait(own.id);
  await deletions.begin(own.id);
  await forget();
  expect(await entries()).toEqual(before); // its deletion has not ended
  await deletions.end(own.id);
  await forget();
  expect(await entries()).toEqual(withoutOwn);

  await directory.learn({ organisationId: own.id, cell: "two" }, own.digest); // by a call that had begun before
  expect(await entries()).toEqual(before);
  await forget();
  expect(await entries()).toEqual(withoutOwn);
  expect((await api.call("GET", "/me", { key: own.key })).status).toBe(401);
  for (const { key } of stays) expect((await api.call("GET", "/me", { key })).status).toBe(200);
  await directory.close();
  await Promise.all(pools.map((each) => each.close()));
});
