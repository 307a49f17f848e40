/** The line cut between the commit and the client: what was done is answered to whoever asks again, and is done once. */
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type Line, lineTo } from "../support/line.ts";
import { killPrograms } from "../support/program.ts";
import { howMany } from "../support/reliability.ts";
import { type ApiAlone, apiAlone } from "./api-alone.ts";
import { type Made, tryOnce } from "./calls.ts";
import type { Journal } from "./journal.ts";
import { type Client, writes } from "./mixed-load.ts";

let db: TestDatabase;
let api: ApiAlone;
let line: Line;

beforeAll(async () => {
  db = await testDatabase();
  api = await apiAlone(db, db.adminUrl, db.dataDir);
  await api.start();
  line = await lineTo(Number(new URL(api.url).port));
}, 60_000);
afterAll(async () => {
  await line?.close();
  await killPrograms();
  await db?.drop();
});

const cuts = howMany(25, 500);
/** Of an answer, what passes before the line is cut: nothing, or some of its head, or all but its last byte. */
const passing = [0, 1, 100, -1];

test("cut off before their answers, clients ask again and are answered what was done", async () => {
  const clients = await api.clients(10);
  const viaLine = `http://127.0.0.1:${line.port}`;
  const made: Made[] = [];
  const replays: Journal["replays"] = [];
  for (let each = 0; each < cuts; each += 1) {
    const client = clients[each % clients.length] as Client;
    const call = writes[each % writes.length]?.(client);
    if (!call) throw new Error("there is no such write");
    const after = passing[Math.floor(each / writes.length) % passing.length] ?? 0;
    const [unheard, cut] = await Promise.all([line.cutNextAnswer(after), tryOnce(viaLine, call)]);
    expect(cut.answer).toBeUndefined();
    // By the answer that nobody heard, what comes now is judged.
    const [head = "", text = ""] = unheard.split("\r\n\r\n");
    expect(/^content-length: (\d+)/im.exec(head)?.[1]).toBe(String(Buffer.byteLength(text))); // it was all of it
    const first = {
      status: Number(head.split(" ")[1]),
      text,
      requestId: /^x-request-id: (\S+)/im.exec(head)?.[1] ?? null,
      code: undefined,
      replayed: false,
    };
    const again = await tryOnce(viaLine, call);
    const noted = { ...call, tries: [cut, again], answer: first };
    made.push(noted);
    replays.push({ of: noted, again });
  }
  await api.expectNothingLost(`answer cut ${cuts} times between commit and client`, made, replays);
}, 300_000);
