/** The text of every field: its bounds in code points, what it may hold, and that it comes back as it was sent. */

import { expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Caller } from "../support/callers.ts";

const here = apiOfFile();

const claim = { scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" };
const hook = { url: "https://receiver.example/hook", events: ["run.finished"] };

/** The row of a resource that the test changes or starts from. */
const made = async (caller: Caller, path: string, body: Json) => (await caller.post(path, body)).body.id as string;

type Field = {
  field: string;
  least: number;
  most: number;
  /** What is sent beside the field. */
  base: Json;
  path: (caller: Caller) => Promise<string>;
  method?: "POST" | "PATCH";
  keyClass?: "platform";
};

const at = (path: string) => async () => path;
const botPath = async (caller: Caller) => `/bots/${await made(caller, "/bots", { name: "Ada" })}`;
const fields: [string, Field][] = [
  ["the name of a key", { field: "name", least: 1, most: 60, base: {}, path: at("/keys") }],
  ["the name of a bot", { field: "name", least: 1, most: 60, base: {}, path: at("/bots") }],
  [
    "the instructions of a bot",
    { field: "instructions", least: 0, most: 20_000, base: { name: "Ada" }, path: at("/bots") },
  ],
  ["the model of a bot", { field: "model", least: 1, most: 100, base: { name: "Ada" }, path: at("/bots") }],
  ["a bot's new name", { field: "name", least: 1, most: 60, base: {}, path: botPath, method: "PATCH" }],
  [
    "a bot's new instructions",
    { field: "instructions", least: 0, most: 20_000, base: {}, path: botPath, method: "PATCH" },
  ],
  ["a bot's new model", { field: "model", least: 1, most: 100, base: {}, path: botPath, method: "PATCH" }],
  ["the kind of a claim", { field: "kind", least: 1, most: 60, base: claim, path: at("/memories") }],
  ["the subject of a claim", { field: "subject", least: 1, most: 200, base: claim, path: at("/memories") }],
  ["the value of a claim", { field: "value", least: 1, most: 4000, base: claim, path: at("/memories") }],
  [
    "a claim's new value",
    {
      field: "value",
      least: 1,
      most: 4000,
      base: {},
      path: async (caller) => `/memories/${await made(caller, "/memories", claim)}`,
      method: "PATCH",
    },
  ],
  ["the description of an endpoint", { field: "description", least: 0, most: 200, base: hook, path: at("/webhooks") }],
  [
    "an endpoint's new description",
    {
      field: "description",
      least: 0,
      most: 200,
      base: {},
      path: async (caller) => `/webhooks/${await made(caller, "/webhooks", hook)}`,
      method: "PATCH",
    },
  ],
  [
    "the name of an organisation",
    {
      field: "name",
      least: 1,
      most: 120,
      base: { owner: { email: "names@example.test" } },
      path: at("/platform/organisations"),
      keyClass: "platform",
    },
  ],
  [
    "the name of an owner's key",
    {
      field: "name",
      least: 1,
      most: 60,
      base: {},
      path: async (caller) =>
        `/platform/organisations/${await made(caller, "/platform/organisations", { name: "O", owner: { email: "keys@example.test" } })}/owner-key`,
      keyClass: "platform",
    },
  ],
];

/** One code point, two units of UTF-16, four bytes of UTF-8. */
const astral = "𝒳";
const awkward = 'é"\\\u2028\u200f\u0001</script>👩‍👩‍👧';

describe.each(fields)("%s", (_name, { field, least, most, base, path, method = "POST", keyClass }) => {
  const begin = async () => {
    const caller = keyClass ? await here.platform() : await here.owner();
    const route = await path(caller);
    return (value: unknown) =>
      method === "POST"
        ? caller.post(route, { ...base, [field]: value })
        : caller.patch(route, { ...base, [field]: value });
  };

  test(`holds ${least} to ${most} code points, whatever planes they are of`, async () => {
    const send = await begin();
    for (const one of ["a", astral]) {
      for (const length of new Set([Math.max(least, 1), most - 1, most])) {
        const written = await send(one.repeat(length));
        expect(written.status).toBeLessThan(300);
        expect(written.body[field]).toBe(one.repeat(length));
      }
      expectRefusal(await send(one.repeat(most + 1)), "invalid_request", [`body.${field}`]);
    }
    const mixed = await send(`${astral.repeat(most - 1)}a`);
    expect(mixed.body[field]).toBe(`${astral.repeat(most - 1)}a`);
    if (least === 0) expect((await send("")).body[field]).toBe("");
    else expectRefusal(await send(""), "invalid_request", [`body.${field}`]);
  });

  test("comes back as it was sent, unless it is no text that can be kept", async () => {
    const send = await begin();
    const text = awkward.slice(0, most);
    expect((await send(text)).body[field]).toBe(text);
    for (const value of ["a\u0000b", "\ud800", "\udc00", "a\udfff\ud83d"]) {
      expectRefusal(await send(value), "invalid_request", [`body.${field}`]);
    }
    for (const value of [7, true, ["a"], { a: 1 }]) {
      expectRefusal(await send(value), "invalid_request", [`body.${field}`]);
    }
  });
});

test("what was submitted is never echoed in a refusal", async () => {
  const ada = await here.owner();
  const marker = "xyzzy-4711";
  const bodies: [string, Json][] = [
    ["/keys", { name: marker.repeat(20), scope: marker, expiresInDays: marker }],
    ["/bots", { name: [marker], visibility: marker, directConversation: marker }],
    ["/memories", { ...claim, scope: marker, botId: marker, confidence: marker, validTo: marker, lawfulBasis: marker }],
    ["/runs", { botId: marker, message: { [marker]: marker }, untrusted: marker }],
    ["/webhooks", { url: `http://${marker}`, events: [marker], description: marker.repeat(40) }],
  ];
  for (const [path, body] of bodies) {
    const refused = await ada.post(path, body);
    expectRefusal(refused, "invalid_request");
    expect(refused.body.error.details.length).toBeGreaterThan(1);
    expect(refused.text).not.toContain(marker);
  }
  const query = await ada.get(`/memories?scope=${marker}&botId=${marker}&limit=${marker}&cursor=${marker}`);
  expectRefusal(query, "invalid_request");
  expect(query.text).not.toContain(marker);
});

test("fields and parameters that nobody knows are dropped, a tenant's id among them", async () => {
  const ada = await here.owner();
  const other = await here.owner();
  const body = { ...claim, organisationId: other.organisation.id, id: other.organisation.id, provenance: "import" };
  const written = await ada.post(`/memories?organisationId=${other.organisation.id}`, body);
  expect(written.body).toMatchObject({ subject: "Hours", provenance: "member" });
  expect(written.body.id).not.toBe(other.organisation.id);
  expect((await ada.get(`/memories/${written.body.id}?organisationId=${other.organisation.id}`)).status).toBe(200);
  expectRefusal(await other.get(`/memories/${written.body.id}`), "not_found");
});
