/** A row of another organisation and an absent row are indistinguishable. (docs/specification/conventions.md#errors) */
import { expectRefusal, sameButForRequestId } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { raiseApproval } from "../support/approvals.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { absent, requestOf, rowOperations } from "../support/requests.ts";

const here = apiOfFile();

/** One row of each resource, by the first part of its path. */
async function rowsOf(member: Member): Promise<Record<string, string>> {
  const create = async (path: string, body?: Json) => (await member.post(path, body)).body.id as string;
  const bot = await create("/bots", { name: "Ada" });
  const webhook = await create("/webhooks", { url: "https://receiver.example/", events: ["run.finished"] });
  const run = await create("/runs", { botId: bot, message: "Hi" });
  const approval = await raiseApproval(here.db, run);
  await member.post(`/runs/${run}/cancel`); // ends the run, so that watch_run returns
  return {
    keys: member.key.id,
    "portal-sessions": await create("/portal-sessions", {}),
    exports: await create("/exports"),
    bots: bot,
    memories: await create("/memories", { scope: "organisation", kind: "k", subject: "s", value: "v" }),
    runs: run,
    approvals: approval,
    routines: await create("/routines", { botId: bot, name: "Daily", schedule: "0 9 * * *", message: "Hi" }),
    hooks: await create("/hooks", { botId: bot, name: "Alerts" }),
    webhooks: webhook,
    deliveries: await create(`/webhooks/${webhook}/test`),
    audit: (await member.get("/audit")).body.data[0].id,
    members: await makeMember(here.db, member.organisation.id, "member"),
    invitations: await create("/invitations", { email: `guest.of.${member.organisation.id}@example.test` }),
  };
}

test.each(rowOperations.map((operation) => [operation.name, operation] as const))(
  "%s returns the same 404 for a foreign row, an absent row and a malformed id",
  async (_name, operation) => {
    const [ada, eve] = [await here.owner(), await here.owner()];
    const foreign = (await rowsOf(eve))[operation.path.split("/")[1] ?? ""] ?? "";
    const ask = (member: Member, id: string) => {
      const { method, path, body } = requestOf(operation, id);
      return here.api.call(method, path, { key: member.key.text, body });
    };
    const refused = [];
    for (const id of [absent, foreign, "no-uuid", `${foreign}0`, "%F0%9F%A4%96", "0", "null"]) {
      refused.push(await ask(ada, id));
    }
    for (const each of refused) {
      expectRefusal(each, "not_found");
      expect(sameButForRequestId(each)).toEqual(sameButForRequestId(refused[0] as Json));
    }
    // The row exists: its own organisation does not get 404.
    expect((await ask(eve, foreign)).status).not.toBe(404);
  },
);

test("No list contains a row of another organisation", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const rows = await rowsOf(eve);
  for (const name of [
    "keys",
    "portal-sessions",
    "exports",
    "bots",
    "memories",
    "runs",
    "approvals",
    "routines",
    "hooks",
    "webhooks",
    "invitations",
    "members",
  ]) {
    const seen = async (member: Member) =>
      (await member.get(`/${name}`)).body.data.map((row: Json) => row.id ?? row.userId);
    expect(await seen(eve)).toContain(rows[name]);
    expect(await seen(ada)).not.toContain(rows[name]);
  }
});

test("A row cannot refer to another organisation's bot", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const { bots: foreign } = await rowsOf(eve);
  expectRefusal(await ada.post("/runs", { botId: foreign, message: "Hi" }), "not_found");
  const newMemory = { scope: "bot", botId: foreign, kind: "k", subject: "s", value: "v" };
  expectRefusal(await ada.post("/memories", newMemory), "not_found");
  expect((await ada.get(`/memories?botId=${foreign}`)).body.data).toEqual([]);
  expect((await ada.get(`/runs?botId=${foreign}`)).body.data).toEqual([]);
  expect((await eve.post("/memories", newMemory)).status).toBe(201);
});
