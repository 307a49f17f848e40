/** Hostile requests to the other ports: the operator console and the metrics of a process. */

import { freePort } from "../../src/database/embedded/port.ts";
import { mintToken } from "../support/console.ts";
import { runProgram } from "../support/program.ts";
import { reportCounts } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { gather } from "./crowd.ts";
import { openTarget, type Target } from "./target.ts";
import { speak } from "./wire.ts";

let target: Target;
let consolePort: number;
beforeAll(async () => {
  target = await openTarget();
  consolePort = await freePort();
  const { adminUrl, masterKey } = target.db;
  const env = { DATABASE_URL: adminUrl, MASTER_KEY: masterKey, CONSOLE_PORT: String(consolePort), LOG_LEVEL: "warn" };
  runProgram(["console"], { env });
  const isUp = () =>
    fetch(`http://127.0.0.1:${consolePort}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(isUp);
});
afterAll(() => target.close());

test("console and metrics ports refuse malformed and unauthenticated requests, and serve valid ones during a flood", async () => {
  const { text: token } = await mintToken(target.db, "view");
  const actions = async () => (await target.db.sql("select from operator.actions where action <> 'mint_token'")).length;
  const ports = { console: consolePort, metrics: target.metricsPort };
  const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`;
  const worst: [name: string, bytes: string][] = [
    ["garbage", "\x16\x03\x01 no HTTP\r\n\r\n"],
    ["a length beside chunks", get("/metrics", "content-length: 5\r\ntransfer-encoding: chunked\r\n")],
    ["a head of 20 KB", get(`/${"x".repeat(20_000)}`)],
    ["a thousand in one packet", get("/graphql").repeat(1_000)],
    ["CONNECT", "CONNECT a:443 HTTP/1.1\r\nhost: a:443\r\n\r\n"],
    ["dots", get("/assets/../../../../etc/passwd")],
    ["a path that can't be decoded", get("/organisations/%zz")],
    ["a body that says it is huge", "POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999\r\n\r\n{"],
  ];
  const faults: string[] = [];
  let calls = 0;
  for (const [where, port] of Object.entries(ports)) {
    const crowds = [
      await gather(port, { count: 60 }),
      await gather(port, { count: 20, first: () => "GET /", drip: "x" }),
      await gather(port, {
        count: 10,
        first: () => get(where === "console" ? "/healthz" : "/metrics").repeat(50),
        reads: false,
      }),
    ];
    const heard = await Promise.all(worst.map(([, bytes]) => speak(port, bytes, { replies: 1, withinMs: 3_000 })));
    for (const [nth, { replies }] of heard.entries()) {
      calls += 1;
      const given = replies.filter(({ status, text }) => status < 400 || status >= 500 || text.includes("root:"));
      if (given.length > 0) faults.push(`${where}, ${worst[nth]?.[0]}: ${given[0]?.status}`);
    }
    calls += 1;
    const bearer = `authorization: Bearer ${token}\r\nconnection: close\r\n`;
    const well = await speak(port, get(where === "console" ? "/healthz" : "/metrics", bearer));
    if (well.replies[0]?.status !== 200) faults.push(`${where}: ${well.replies[0]?.status} beside a crowd`);
    for (const crowd of crowds) crowd.leave();
  }
  const said = (await (await fetch(`${target.url}/api/v1/me`)).json()) as { error: { code: string } };
  const done = await actions();
  reportCounts("ports of the console and of metrics", {
    acknowledged: calls,
    lost: 0,
    doubled: done,
    unexpected: faults.length,
  });
  expect(faults).toEqual([]);
  expect(done).toBe(0);
  expect(said.error.code).toBe("unauthenticated"); // the API beside them is unaffected
});
