/** Refused names: unreadable ones and ones that pose as a link. (docs/specification/conventions.md#names) */
import { nameFault } from "../../src/contract/names.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { ownApiOfFile } from "../support/callers.ts";

const here = ownApiOfFile();

const faulty = {
  "a line break": "Harbour\r\nBcc: eve@evil.example",
  "a control character": "Harbour\u0007",
  "a C1 control": "Harbour\u009b",
  "a line separator": "Harbour\u2028",
  "a bidi override": "Harbour\u202egnp.exe",
  "a bidi isolate": "Harbour\u2067",
  "a bidi mark": "Harbour\u200f",
  "spaces alone": "   \u00a0\u3000",
  "zero-width characters alone": "\u200b\u200d\ufeff",
  "a blank Braille pattern": "\u2800",
  "a Hangul filler": "\u3164",
  "a scheme": "See https://evil.example",
  "a www name": "WWW.evil.example",
  "a fullwidth www name": "ｗｗｗ．evil.example",
};
const fine = [
  "Harbour",
  "Café Zürich",
  "=?utf-8?q?Bank?=",
  "Šumná",
  "بندر",
  "می\u200cخواهم",
  "👩\u200d👩\u200d👧",
  "港",
  "a.b/c: d",
  "wwwidget",
];

async function places(): Promise<
  { path: string; write: (name: string) => Promise<{ status: number; text: string } & Json> }[]
> {
  const ada = await here.owner();
  const platform = await here.platform();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: hook } = await ada.post("/hooks", { botId: bot.id, name: "Hook" });
  const daily = { botId: bot.id, schedule: "0 9 * * *", message: "Hello" };
  const { body: routine } = await ada.post("/routines", { ...daily, name: "Daily" });
  let made = 0;
  const owner = (more: Json) => ({ email: `names${++made}@example.test`, ...more });
  return [
    { path: "body.name", write: (name) => ada.patch("/organisation", { name }) },
    { path: "body.name", write: (name) => ada.post("/bots", { name }) },
    { path: "body.name", write: (name) => ada.patch(`/bots/${bot.id}`, { name }) },
    { path: "body.name", write: (name) => ada.post("/keys", { name }) },
    { path: "body.name", write: (name) => ada.patch(`/hooks/${hook.id}`, { name }) },
    { path: "body.name", write: (name) => ada.post("/routines", { ...daily, name }) },
    { path: "body.name", write: (name) => ada.patch(`/routines/${routine.id}`, { name }) },
    { path: "body.name", write: (name) => platform.post("/platform/organisations", { name, owner: owner({}) }) },
    {
      path: "body.owner.displayName",
      write: (displayName) =>
        platform.post("/platform/organisations", { name: "Harbour", owner: owner({ displayName }) }),
    },
    {
      path: "body.name",
      write: (name) => platform.post(`/platform/organisations/${ada.organisation.id}/owner-key`, { name }),
    },
  ];
}

test.each(Object.entries(faulty))(
  "A name with %s is invalid_request in every operation that takes a name",
  async (_what, name) => {
    for (const { path, write } of await places())
      expectRefusal((await write(name)) as never, "invalid_request", [path]);
  },
);

test("rename_organisation accepts names of all scripts, with joiners", async () => {
  const [organisation] = await places();
  for (const name of fine)
    expect(expectAnswer("rename_organisation", (await organisation?.write(name)) as never).name).toBe(name);
});

test("A webhook's description may be empty, have several lines or contain a URL, but no other control or bidi character", async () => {
  const ada = await here.owner();
  const make = (description: string) =>
    ada.post("/webhooks", { url: "https://receiver.example/", events: ["run.finished"], description });
  for (const description of ["", "See https://wiki.example/", "Tells the duty room.\r\n\tAsk Ada.\n"])
    expectAnswer("create_webhook", await make(description));
  for (const description of ["a\u0001b", "a\u0085b", "a\u2028b", "a\u202eb"]) {
    expectRefusal(await make(description), "invalid_request", ["body.description"]);
  }
});

test("The database refuses the same names in direct statements", async () => {
  const ada = await here.owner();
  const id = ada.organisation.id;
  await ada.post("/bots", { name: "Ada" });
  const tables: [table: string, column: string][] = [
    ["organisations", "name"],
    ["people", "display_name"],
    ["bots", "name"],
    ["api_keys", "name"],
  ];
  for (const [table, column] of tables) {
    for (const name of Object.values(faulty)) {
      const written = here.db.sql(`update app.${table} set ${column} = $1`, [name]);
      await expect(written).rejects.toMatchObject({ code: "OA001", message: "invalid_request" });
    }
  }
  const inserts = [
    "insert into app.platform_keys (name, prefix, digest, expires_at) values ($1, repeat('a', 12), sha256('a'), now())",
    "insert into app.operator_tokens (name, scope, digest, expires_at) values ($1, 'view', sha256('a'), now())",
  ];
  for (const insert of inserts) {
    await expect(here.db.sql(insert, ["a\nb"])).rejects.toMatchObject({ message: "invalid_request" });
  }
  const heartbeat = "select runner.heartbeat(gen_random_uuid(), $1, '{recall}')";
  await expect(here.db.sql(heartbeat, ["a\nb"])).rejects.toMatchObject({ message: "invalid_request" });
  await here.db.sql(heartbeat, ["built-in at www.example.com"]);
  expect((await ada.get("/organisation")).body.id).toBe(id);
});

test("A stored unreadable name stays while other columns of its row change", async () => {
  const ada = await here.owner();
  await here.db.sql("alter table app.organisations disable trigger _050_refuse_unreadable_name");
  try {
    await here.db.sql("update app.organisations set name = E'Old\\nname' where id = $1", [ada.organisation.id]);
  } finally {
    await here.db.sql("alter table app.organisations enable trigger _050_refuse_unreadable_name");
  }
  expect(expectAnswer("rename_organisation", await ada.patch("/organisation", { language: "german" })).name).toBe(
    "Old\nname",
  );
});

test("The contract and the database classify every character alike", async () => {
  const rows = await here.db.sql<{ code: number; alone: boolean; within: boolean }>(
    `select code, names.has_controls(chr(code)) or not names.is_visible(chr(code)) as alone,
       names.has_controls('a' || chr(code)) as within
     from generate_series(1, 1114111) code where code not between 55296 and 57343`,
  );
  const different = rows.filter(({ code, alone, within }) => {
    const character = String.fromCodePoint(code);
    return (nameFault(character) !== undefined) !== alone || (nameFault(`a${character}`) !== undefined) !== within;
  });
  expect(rows.length).toBeGreaterThan(1_100_000);
  expect(different.map(({ code }) => code.toString(16))).toEqual([]);
});
