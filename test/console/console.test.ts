/** The operators' console, as far as it goes: closed without a token, read-only with one. (decisions: section 6.) */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { makeKey, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

const botstead = fileURLToPath(new URL("../../src/botstead.js", import.meta.url));

let db: TestDatabase;
let child: ChildProcess;
let url: string;
let token: string;

beforeAll(async () => {
  db = await testDatabase();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  child = spawn(process.execPath, [botstead, "console"], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey, CONSOLE_PORT: String(port) },
  });
  await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", () => reject(new Error("the console did not start")));
  });
  const credential = makeCredential("bso");
  token = credential.text;
  await db.sql("select operator.mint_token('test', 1, $1)", [credential.digest]);
}, 60_000);

afterAll(async () => {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  await db.drop();
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function ask(query: string, authorization: string): Promise<{ status: number; body: string }> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: JSON.stringify({ query }),
  });
  return { status: response.status, body: await response.text() };
}

test("nobody gets in without an operator's token, neither with a tenant's key nor with a revoked token", async () => {
  const organisation = await makeOrganisation(db);
  const key = await makeKey(db, organisation.id, organisation.ownerId);
  const revoked = makeCredential("bso");
  await db.sql("select operator.mint_token('revoked', 1, $1)", [revoked.digest]);
  expect((await ask("{ __typename }", `Bearer ${revoked.text}`)).status).toBe(200);
  await db.sql("update app.operator_tokens set revoked_at = now() where digest = $1", [revoked.digest]);
  for (const authorization of [
    "",
    `Bearer ${key.text}`,
    `Bearer ${makeCredential("bso").text}`,
    `Bearer ${revoked.text}`,
  ]) {
    expect((await ask("{ __typename }", authorization)).status).toBe(401);
  }
  expect((await fetch(`${url}/graphiql`)).status).toBe(401);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test("an operator reads all organisations, as bearer or with a browser's password", async () => {
  const organisation = await makeOrganisation(db);
  const query = "{ allOrganisations { nodes { rowId name } } }";
  for (const authorization of [`Bearer ${token}`, `Basic ${Buffer.from(`me:${token}`).toString("base64")}`]) {
    const { status, body } = await ask(query, authorization);
    expect(status).toBe(200);
    expect(body).toContain(organisation.id);
  }
});

test("every view answers, nothing can be written, and no digest or secret has a name", async () => {
  const { body } = await ask(
    "{ __schema { queryType { fields { name } } mutationType { name } types { name fields { name } } } }",
    `Bearer ${token}`,
  );
  const { __schema: schema } = JSON.parse(body).data;
  expect(schema.mutationType).toBeNull();
  const lists = schema.queryType.fields
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => /^all/.test(name));
  const views = await db.sql("select from pg_views where schemaname = 'operator'");
  expect(lists).toHaveLength(views.length);
  for (const list of lists) {
    const answer = await ask(`{ ${list} { nodes { __typename } } }`, `Bearer ${token}`);
    expect(JSON.parse(answer.body).errors).toBeUndefined();
  }
  const fields = schema.types.flatMap((type: { fields?: { name: string }[] }) => type.fields ?? []);
  expect(fields.map(({ name }: { name: string }) => name).join(" ")).not.toMatch(/digest|secret|sealed/i);
});
