/**
 * The connection is cut between commit and response: a retry returns the first response, and the effect exists once.
 */
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { killPrograms } from "../support/program.ts";
import { howMany } from "../support/reliability.ts";
import { type SlowNetwork, slowNetworkTo } from "../support/slow-network.ts";
import { type ApiAlone, apiAlone } from "./api-alone.ts";
import { type Made, tryOnce } from "./calls.ts";
import type { Journal } from "./journal.ts";
import { type Client, writes } from "./mixed-load.ts";

let db: TestDatabase;
let api: ApiAlone;
let network: SlowNetwork;

beforeAll(async () => {
  db = await testDatabase();
  api = await apiAlone(db, db.adminUrl, db.dataDir);
  await api.start();
  network = await slowNetworkTo(Number(new URL(api.url).port));
});
afterAll(async () => {
  await network?.close();
  await killPrograms();
  await db?.drop();
});

const cuts = howMany(25, 500);
/** How much of a response passes before the cut: nothing, part of its head, or all but its last byte. */
const passing = [0, 1, 100, -1];

test("clients retry after a connection is cut, and get the response of the first request", async () => {
  const clients = await api.clients(10);
  const viaNetwork = `http://127.0.0.1:${network.port}`;
  const made: Made[] = [];
  const replays: Journal["replays"] = [];
  for (let each = 0; each < cuts; each += 1) {
    const client = clients[each % clients.length] as Client;
    const call = writes[each % writes.length]?.(client);
    if (!call) throw new Error("there is no such write");
    const after = passing[Math.floor(each / writes.length) % passing.length] ?? 0;
    const [unheard, cut] = await Promise.all([network.cutNextAnswer(after), tryOnce(viaNetwork, call)]);
    expect(cut.answer).toBeUndefined();
    // The replay is compared with the response that the cut hid from the client.
    const [head = "", text = ""] = unheard.split("\r\n\r\n");
    expect(/^content-length: (\d+)/im.exec(head)?.[1]).toBe(String(Buffer.byteLength(text))); // the response is complete
    const first = {
      status: Number(head.split(" ")[1]),
      text,
      requestId: /^x-request-id: (\S+)/im.exec(head)?.[1] ?? null,
      code: undefined,
      replayed: false,
    };
    const again = await tryOnce(viaNetwork, call);
    const noted = { ...call, tries: [cut, again], answer: first };
    made.push(noted);
    replays.push({ of: noted, again });
  }
  await api.expectNothingLost(`connection cut ${cuts} times between commit and response`, made, replays);
});
