/** `details` names every invalid path that can be validated without the database. */
import { expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { absent } from "../support/requests.ts";

const here = apiOfFile();

test.each<[path: string, names: string[]]>([
  ["/runs?limit=abc&cursor=zz", ["query.limit", "query.cursor"]],
  ["/runs?limit=abc&cursor=zz&botId=x&state=y", ["query.limit", "query.botId", "query.state", "query.cursor"]],
  ["/memories?limit=0&q=harbour&cursor=zz", ["query.limit", "query.cursor"]],
  ["/memories?limit=0&q=harbour&asOf=2026-01-01T00:00:00Z", ["query.limit", "query.asOf"]],
  ["/events?limit=0&after=zz", ["query.limit", "query.after"]],
  ["/audit?limit=0&limit=1&since=never&cursor=zz", ["query.limit", "query.since", "query.cursor"]],
])("GET %s names each invalid parameter", async (path, names) => {
  expectRefusal(await (await here.owner()).get(path), "invalid_request", names);
});

test.each<[path: string, body: unknown, names: string[]]>([
  ["/webhooks", { url: "https://10.0.0.1/", events: [] }, ["body.events", "body.url"]],
  [
    "/webhooks",
    { url: "https://10.0.0.1/", description: 7, events: ["no"] },
    ["body.description", "body.events.0", "body.url"],
  ],
  [
    "/memories",
    { scope: "bot", kind: "k", subject: "s", value: "v", confidence: 2 },
    ["body.confidence", "body.botId"],
  ],
  [
    "/memories",
    { scope: "organisation", botId: absent, kind: "" },
    ["body.kind", "body.subject", "body.value", "body.botId"],
  ],
  ["/keys", { scope: "all", expiresInDays: 0 }, ["body.name", "body.scope", "body.expiresInDays"]],
  [
    "/batch",
    {
      atomic: "yes",
      operations: [
        { method: "POST", path: "/batch" },
        { method: "PUT", path: "/me" },
      ],
    },
    ["body.atomic", "body.operations.1.method", "body.operations.0.path"],
  ],
])("POST %s with %j names each invalid field", async (path, body, names) => {
  expectRefusal(await (await here.owner()).post(path, body), "invalid_request", names);
});

test("A request without an Idempotency-Key names only that header: the body is not read", async () => {
  const ada = await here.owner();
  const reply = await ada.post("/keys", { name: 7 }, { idempotencyKey: null });
  expectRefusal(reply, "invalid_request", ["headers.idempotency-key"]);
});

test("An empty cursor returns the first page", async () => {
  const ada = await here.owner();
  for (const path of ["/bots?cursor=", "/memories?q=harbour&cursor="]) {
    expect([path, (await ada.get(path)).status]).toEqual([path, 200]);
  }
  const { id } = (await ada.post("/bots", { name: "Ada" })).body;
  expect((await ada.get("/bots?cursor=&limit=1")).body.data[0].id).toBe(id);
});

describe("In a batch", () => {
  test("a lower-case method and a null body are accepted", async () => {
    const ada = await here.owner();
    const operations = [
      { method: "post", path: "/bots", body: { name: "Ada" } },
      { method: "get", path: "/bots", body: null },
      { method: "Get", path: "/me" },
    ];
    const { results } = (await ada.post("/batch", { operations })).body;
    expect(results.map(({ status }: { status: number }) => status)).toEqual([201, 200, 200]);
  });

  test("an unknown path is 400 for that operation alone", async () => {
    const ada = await here.owner();
    const operations = ["/me", "/nothing", "me", "/openapi.json", ""].map((path) => ({ method: "GET", path }));
    const { results } = (await ada.post("/batch", { operations: operations.slice(0, 4) })).body;
    expect(results.map(({ status }: { status: number }) => status)).toEqual([200, 400, 400, 400]);
    expect(results[2].body.error.details).toEqual([
      { path: "body.operations.2.path", message: "must be the path of an operation" },
    ]);
    expectRefusal(await ada.post("/batch", { operations }), "invalid_request", ["body.operations.4.path"]);
  });
});
