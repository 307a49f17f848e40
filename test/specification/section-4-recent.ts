/** Erasure by any spelling, inviters, the end of the feed, repeated posts to hooks, and what scope read and members reach. */
import { createHmac, randomUUID } from "node:crypto";
import type { Json } from "../support/api.ts";
import { type Answer, anAddress, expectRefused, expectSuccess } from "./client.ts";
import {
  aBot,
  aMember,
  anEmail,
  anOrganisation,
  another,
  call,
  keyOf,
  mailedLink,
  type Organisation,
  runIn,
} from "./service.ts";
import { specifies } from "./specified.ts";

/** Stored spelling, and a spelling that names the same subject. */
const spellings = [
  ["Γιώργος", "ΓΙΏΡΓΟΣ"],
  ["Straße 5", "STRASSE 5"],
  ["Jean-Luc", "Jean‑Luc"],
  ["O'Brien", "O’Brien"],
  ["Müller", "MÜLLER"],
] as const;

specifies("4-memories-erase-spellings", async () => {
  const ours = await anOrganisation();
  for (const [stored, spelled] of spellings) {
    const memory = { scope: "organisation", kind: "note", subject: stored, subjectKind: "third_party", value: "Tea" };
    const { id } = expectSuccess(await ours.post("/memories", memory), 201);
    const receipt = expectSuccess(await ours.post("/memories/erase", { subjectKind: "third_party", subject: spelled }));
    expect([stored, receipt]).toMatchObject([stored, { memories: 1, complete: true }]);
    expectRefused(await ours.get(`/memories/${id}`), 404, "not_found");
  }
});

specifies("4-invitations-inviter", async () => {
  const ours = await anOrganisation();
  const { userId } = await aMember(ours, "admin");
  const theirs = await keyOf(ours, userId);
  for (const lose of [
    () => ours.patch(`/members/${userId}`, { role: "member" }),
    () => ours.delete(`/members/${userId}`),
  ]) {
    expectSuccess(await ours.patch(`/members/${userId}`, { role: "admin" }));
    const email = anEmail();
    const { id } = expectSuccess(await theirs.post("/invitations", { email, role: "admin" }), 201);
    const link = await mailedLink(email);
    expect((await fetch(link)).status).toBe(200);
    expectSuccess(await lose());
    expect((await fetch(link)).status).toBe(404);
    const accepted = await fetch(link, { method: "POST", body: new URLSearchParams({ displayName: "Eve" }) });
    expect(accepted.status).toBe(404);
    expect(expectSuccess(await ours.get(`/invitations/${id}`)).revokedAt).not.toBeNull();
    const members = expectSuccess(await ours.get("/members")).data as Json[];
    expect(members.map((member) => member.email)).not.toContain(email);
  }
});

specifies("4-events-end", async () => {
  const ours = await anOrganisation();
  const finishRun = async () => {
    const { id } = expectSuccess(await ours.post("/runs", { botId: await aBot(ours), message: "Hello" }), 202);
    await runIn(ours, id, "completed");
    return id as string;
  };
  const runsOf = ({ data }: Json) => data.map((event: Json) => event.data.runId);
  const runs = [await finishRun(), await finishRun()];
  const first = expectSuccess(await ours.get("/events?limit=1"));
  expect([runsOf(first), typeof first.nextCursor]).toEqual([[runs[0]], "string"]);
  const last = expectSuccess(await ours.get(`/events?limit=1&cursor=${first.nextCursor}`));
  expect([runsOf(last), last.nextCursor]).toEqual([[runs[1]], null]);
  const after = `/events?after=${last.position}`;
  expect(expectSuccess(await ours.get(after))).toMatchObject({ data: [], nextCursor: null });
  const later = await finishRun();
  expect(runsOf(expectSuccess(await ours.get(after)))).toEqual([later]);
});

/** Posts to a hook, signed at a time in seconds. */
function postTo(hook: Json, body: string, time: number, delivery = randomUUID()): Promise<Answer> {
  const signature = createHmac("sha256", hook.secret).update(`v1:${time}:${body}`).digest("hex");
  return call("POST", `/hooks/${hook.id}/receive`, {
    raw: body,
    idempotencyKey: null,
    from: anAddress(),
    headers: {
      "content-type": "text/plain",
      "x-botstead-delivery": delivery,
      "x-botstead-timestamp": `${time}`,
      "x-botstead-signature": signature,
    },
  });
}

const seconds = () => Math.floor(Date.now() / 1000);

specifies("4-hooks-repeated", async () => {
  const ours = await anOrganisation();
  const hook = expectSuccess(await ours.post("/hooks", { botId: await aBot(ours), name: "Alerts" }), 201);
  const [time, delivery] = [seconds(), randomUUID()];
  const post = () => postTo(hook, "The crane is stuck", time, delivery);
  const [first, second] = [await post(), await post()];
  const { runId } = expectSuccess(first, 202);
  expect(expectSuccess(second, 202)).toEqual({ runId });
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(expectSuccess(await ours.get("/runs?trigger=webhook")).data).toMatchObject([{ id: runId }]);
});

specifies("6-clock-tolerance", async () => {
  const ours = await anOrganisation();
  const hook = expectSuccess(await ours.post("/hooks", { botId: await aBot(ours), name: "Alerts" }), 201);
  for (const shift of [-301, -3600, 3600]) {
    expectRefused(await postTo(hook, "Refused", seconds() + shift), 401, "unauthenticated");
  }
  for (const shift of [-150, 300]) expectSuccess(await postTo(hook, "Accepted", seconds() + shift), 202);
  expect(expectSuccess(await ours.get("/runs")).data).toHaveLength(2);
});

/** What reads secrets' owners, addresses or other people's acts stays with admins. */
const adminReads = /^\/(keys|webhooks|deliveries|events|audit|portal-sessions)(\/|$)/;

specifies("5-read-reaches", async () => {
  const ours = await anOrganisation();
  const reader = await another(ours, "read");
  const { body } = await call("GET", "/openapi.json");
  const paths = Object.entries(body.paths as Record<string, Json>)
    .filter(([path, { get }]) => get && !path.startsWith("/platform") && path !== "/openapi.json")
    .map(([path]) => path);
  expect(paths.length).toBeGreaterThan(30);
  const statuses = await Promise.all(
    paths.map(async (path) => {
      const { status } = await reader.get(path.replace(/\{\w+\}/, randomUUID()));
      return [path, status];
    }),
  );
  for (const [path, status] of statuses as [string, number][]) {
    const reached = path.includes("{") ? 404 : 200;
    expect([path, status]).toEqual([path, adminReads.test(path) ? 401 : reached]);
  }
});

/** Calls of a portal session of this person, which the owner opens. */
async function sessionOf(ours: Organisation, personId: string) {
  const { url } = expectSuccess(await ours.post("/portal-sessions", { personId }), 201);
  const { origin, hash } = new URL(url);
  const entered = await fetch(`${origin}/portal/enter`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: hash.slice(1) }),
  });
  const { csrfToken } = (await entered.json()) as { csrfToken: string };
  const headers = { cookie: entered.headers.get("set-cookie")?.split(";")[0] ?? "", "x-csrf-token": csrfToken };
  return (method: string, path: string, body?: unknown) => call(method, path, { body, headers });
}

specifies("5-roles", async () => {
  const ours = await anOrganisation();
  const member = await sessionOf(ours, (await aMember(ours, "member")).userId);
  const memory = { scope: "organisation", kind: "note", subject: "Tea", value: "Black" };
  const { id } = expectSuccess(await ours.post("/memories", memory), 201);
  const botId = await aBot(ours);
  for (const [method, path, body] of [
    ["POST", "/memories", memory],
    ["PATCH", `/memories/${id}`, { value: "Green" }],
    ["DELETE", `/memories/${id}`],
    ["PATCH", `/bots/${botId}`, { name: "Mine" }],
    ["DELETE", `/bots/${botId}`],
    ["POST", "/routines", { botId, name: "Daily", schedule: "0 9 * * *", message: "Hello" }],
    ["POST", "/runs", { botId, message: "Hello" }],
    ["POST", "/keys", { name: "Mine" }],
    ["POST", "/invitations", { email: anEmail() }],
  ] as const) {
    expectRefused(await member(method, path, body), 403, "forbidden");
  }
  expect(expectSuccess(await member("GET", "/memories")).data).toMatchObject([{ id, value: "Black" }]);
  expect(expectSuccess(await member("GET", `/bots/${botId}`)).name).toBe("Guide");
  const own = expectSuccess(await member("POST", "/bots", { name: "Own" }), 201);
  expect(expectSuccess(await member("PATCH", `/bots/${own.id}`, { name: "Changed" })).name).toBe("Changed");
});
