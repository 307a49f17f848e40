/** Every text field: its length in code points, its allowed characters, and that it is returned as sent. */

import { expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Caller } from "../support/callers.ts";
import { noteModels } from "../support/database.ts";
import { newEndpoint } from "../support/resources.ts";

/** Each code point has two UTF-16 units, and four bytes in UTF-8. */
const wide = (length: number) => "𝒳".repeat(length);

const here = apiOfFile();

const newMemory = { scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" };

/** Creates the row that the test changes or starts from. Returns its id. */
const made = async (caller: Caller, path: string, body: Json) => (await caller.post(path, body)).body.id as string;

type Field = {
  field: string;
  min: number;
  max: number;
  /** The other fields of the request. */
  base: Json;
  path: (caller: Caller) => Promise<string>;
  method?: "POST" | "PATCH";
  keyClass?: "platform";
};

const at = (path: string) => async () => path;
const botPath = async (caller: Caller) => `/bots/${await made(caller, "/bots", { name: "Ada" })}`;
const fields: [string, Field][] = [
  ["the name of a key", { field: "name", min: 1, max: 60, base: {}, path: at("/keys") }],
  ["the name of a bot", { field: "name", min: 1, max: 60, base: {}, path: at("/bots") }],
  [
    "the instructions of a bot",
    { field: "instructions", min: 0, max: 20_000, base: { name: "Ada" }, path: at("/bots") },
  ],
  ["the model of a bot", { field: "model", min: 1, max: 100, base: { name: "Ada" }, path: at("/bots") }],
  ["a bot's new name", { field: "name", min: 1, max: 60, base: {}, path: botPath, method: "PATCH" }],
  [
    "a bot's new instructions",
    { field: "instructions", min: 0, max: 20_000, base: {}, path: botPath, method: "PATCH" },
  ],
  ["a bot's new model", { field: "model", min: 1, max: 100, base: {}, path: botPath, method: "PATCH" }],
  ["the kind of a memory", { field: "kind", min: 1, max: 60, base: newMemory, path: at("/memories") }],
  ["the subject of a memory", { field: "subject", min: 1, max: 200, base: newMemory, path: at("/memories") }],
  ["the value of a memory", { field: "value", min: 1, max: 4000, base: newMemory, path: at("/memories") }],
  [
    "a memory's new value",
    {
      field: "value",
      min: 1,
      max: 4000,
      base: {},
      path: async (caller) => `/memories/${await made(caller, "/memories", newMemory)}`,
      method: "PATCH",
    },
  ],
  [
    "the description of an endpoint",
    { field: "description", min: 0, max: 200, base: newEndpoint, path: at("/webhooks") },
  ],
  [
    "an endpoint's new description",
    {
      field: "description",
      min: 0,
      max: 200,
      base: {},
      path: async (caller) => `/webhooks/${await made(caller, "/webhooks", newEndpoint)}`,
      method: "PATCH",
    },
  ],
  [
    "the name of an organisation",
    {
      field: "name",
      min: 1,
      max: 120,
      base: { owner: { email: "names@example.test" } },
      path: at("/platform/organisations"),
      keyClass: "platform",
    },
  ],
  [
    "the name of an owner's key",
    {
      field: "name",
      min: 1,
      max: 60,
      base: {},
      path: async (caller) =>
        `/platform/organisations/${await made(caller, "/platform/organisations", { name: "O", owner: { email: "keys@example.test" } })}/owner-key`,
      keyClass: "platform",
    },
  ],
];

const awkward = 'é"\\\u2028\u200f\u0001</script>👩‍👩‍👧';
/** Single-line fields refuse some of these characters (names.test.ts). */
const awkwardOnOneLine = 'é"\\</script>👩‍👩‍👧';

beforeAll(async () => {
  const lengths = [1, 99, 100].flatMap((length) => ["a".repeat(length), wide(length)]);
  await noteModels(here.db, ...lengths, `${wide(99)}a`, awkward);
});

describe.each(fields)("%s", (_name, { field, min, max, base, path, method = "POST", keyClass }) => {
  const begin = async () => {
    const caller = keyClass ? await here.platform() : await here.owner();
    const route = await path(caller);
    return (value: unknown) =>
      method === "POST"
        ? caller.post(route, { ...base, [field]: value })
        : caller.patch(route, { ...base, [field]: value });
  };

  test(`accepts ${min} to ${max} code points, of every plane`, async () => {
    const send = await begin();
    for (const make of [(length: number) => "a".repeat(length), wide]) {
      for (const length of new Set([Math.max(min, 1), max - 1, max])) {
        const written = await send(make(length));
        expect(written.status).toBeLessThan(300);
        expect(written.body[field]).toBe(make(length));
      }
      expectRefusal(await send(make(max + 1)), "invalid_request", [`body.${field}`]);
    }
    const mixed = await send(`${wide(max - 1)}a`);
    expect(mixed.body[field]).toBe(`${wide(max - 1)}a`);
    if (min === 0) expect((await send("")).body[field]).toBe("");
    else expectRefusal(await send(""), "invalid_request", [`body.${field}`]);
  });

  test("returns the text as sent, and refuses NUL, lone surrogates and other types", async () => {
    const send = await begin();
    const text = (["name", "description"].includes(field) ? awkwardOnOneLine : awkward).slice(0, max);
    expect((await send(text)).body[field]).toBe(text);
    for (const value of ["a\u0000b", "\ud800", "\udc00", "a\udfff\ud83d"]) {
      expectRefusal(await send(value), "invalid_request", [`body.${field}`]);
    }
    for (const value of [7, true, ["a"], { a: 1 }]) {
      expectRefusal(await send(value), "invalid_request", [`body.${field}`]);
    }
  });
});

test("Refusals never echo submitted values", async () => {
  const ada = await here.owner();
  const marker = "xyzzy-4711";
  const bodies: [string, Json][] = [
    ["/keys", { name: marker.repeat(20), scope: marker, expiresInDays: marker }],
    ["/bots", { name: [marker], visibility: marker, directConversation: marker }],
    [
      "/memories",
      { ...newMemory, scope: marker, botId: marker, confidence: marker, validTo: marker, lawfulBasis: marker },
    ],
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

test("Unknown fields and parameters are ignored, an organisation id included", async () => {
  const ada = await here.owner();
  const other = await here.owner();
  const body = { ...newMemory, organisationId: other.organisation.id, id: other.organisation.id, provenance: "import" };
  const written = await ada.post(`/memories?organisationId=${other.organisation.id}`, body);
  expect(written.body).toMatchObject({ subject: "Hours", provenance: "member" });
  expect(written.body.id).not.toBe(other.organisation.id);
  expect((await ada.get(`/memories/${written.body.id}?organisationId=${other.organisation.id}`)).status).toBe(200);
  expectRefusal(await other.get(`/memories/${written.body.id}`), "not_found");
});
