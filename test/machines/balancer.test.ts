/** HAProxy returns our error envelope when no server answers: tests each such line of ops/haproxy/haproxy.cfg. */
import { refusalIn } from "../fault/calls.ts";
import { closing } from "../support/closing.ts";
import { testWith } from "../support/machine.ts";
import { answers, hangsUp, type Step, saysNothing, startScriptedServer } from "../support/scripted-server.ts";
import { type Balancer, startBalancer } from "./balancer.ts";

/** Two processes that pass the health check and answer all other requests with `step`. */
async function before(step: Step): Promise<{ balancer: Balancer; close(): Promise<unknown> }> {
  const servers = await Promise.all([startScriptedServer(), startScriptedServer()]);
  const close = closing(() => Promise.all(servers.map((server) => server.close())));
  const lives = answers(200, {});
  for (const { script } of servers) {
    script.push((request, response, seen) => (request.url === "/healthz" ? lives : step)(request, response, seen));
  }
  const [first = "", second = ""] = servers.map(({ url }) => url);
  return { balancer: await startBalancer([first, second], { "timeout server 60s": "timeout server 1s" }), close };
}

async function expectUnavailable(url: string, status: number): Promise<void> {
  const answer = await fetch(`${url}/api/v1/me`);
  const text = await answer.text();
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/json"]);
  const { requestId } = refusalIn(503, text) ?? {};
  expect([text, requestId]).toEqual([text, expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)]);
}

const testBalancer = testWith("haproxy");

testBalancer("HAProxy returns 502 if the process closes without a response, and 503 without a process", async () => {
  const { balancer, close } = await before(hangsUp);
  await expectUnavailable(balancer.url, 502);
  await close();
  await expectUnavailable(balancer.url, 503);
});

testBalancer("HAProxy returns 504 if the process does not respond in time", async () => {
  const { balancer } = await before(saysNothing);
  await expectUnavailable(balancer.url, 504);
});
