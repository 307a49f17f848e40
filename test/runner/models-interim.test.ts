/** Model services that send interim responses (1xx), which no request asks for, before their response. */
import { createServer } from "node:net";
import { modelService } from "../../src/runner/engines/models/service.ts";
import { usual } from "../support/model-fixture.ts";

const chunk = { choices: [{ index: 0, delta: { content: "It is sunny." }, finish_reason: "stop" }] };
const answer = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\ndata: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
const list = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n[{"id":"m"}]';
const go = "HTTP/1.1 100 Continue\r\n\r\n";

/** Answers each request with these bytes, then with the response. */
async function serviceThatSends(interim: string) {
  let requests = 0;
  const server = createServer((socket) => {
    socket.once("data", async (data) => {
      requests += 1;
      for (const part of interim.match(/.{1,7}/gs) ?? []) {
        socket.write(part);
        await new Promise((resolve) => setImmediate(resolve));
      }
      socket.end(String(data).startsWith("GET") ? list : answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const service = modelService({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: undefined }, usual);
  return { service, requests: () => requests, close: () => new Promise((resolve) => server.close(resolve)) };
}

const request = { model: "m", messages: [{ role: "user" as const, content: "Hello." }] };

test.each([
  ["no interim response", ""],
  ["100", go],
  ["100 with a header, twice", `HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n${go}`],
  ["102", "HTTP/1.1 102 Processing\r\n\r\n"],
  ["103, then 100", `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${go}`],
  ["199", "HTTP/1.1 199 Wait\r\n\r\n"],
])("a service that sends %s is understood in one request, for its answer and its list", async (_what, interim) => {
  const { service, requests, close } = await serviceThatSends(interim);
  const outcome = await service.complete(request, new AbortController().signal);
  expect(outcome).toMatchObject({ kind: "turn", text: "It is sunny." });
  expect(requests()).toBe(1);
  expect(await service.list()).toEqual(["m"]);
  await close();
});

test("a service that switches to another protocol did not respond, and nothing is charged", async () => {
  const switching = "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n";
  const { service, requests, close } = await serviceThatSends(switching);
  const outcome = await service.complete(request, new AbortController().signal);
  expect(outcome).toMatchObject({ kind: "failed", inputTokens: 0, outputTokens: 0 });
  expect(requests()).toBe(3);
  await close();
});
