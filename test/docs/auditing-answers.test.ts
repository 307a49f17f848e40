/**
 * Each question of docs/auditing.md has the answer that a database gives, or none if it has no row or is too long to print.
 * UPDATE_DOCS=1 writes the answers.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { Client, type CustomTypesConfig } from "pg";
import { readConfig } from "../../src/config.ts";
import { urlAs } from "../../src/database/urls.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { signerFrom } from "../../src/transparency/note.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { auditedDatabase } from "../support/audited.ts";
import { testCheckpoints } from "../support/checkpoints.ts";
import { clusterVariable, startCluster, stopCluster } from "../support/cluster.ts";
import { makeKey, makeOrganisation, type TestDatabase } from "../support/database.ts";
import { printAnswer } from "../support/printed-answers.ts";
import { eventually } from "../support/worker.ts";

const file = new URL("../../docs/auditing.md", import.meta.url);
const page = readFileSync(file, "utf8");
/** From here on the page is for the administrator. */
const administrators = page.indexOf("## What does a caller see?");
/** A query, and the answer below it. */
const question = /```sql\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```\n)?/g;
const questions = [...page.matchAll(question)].filter(({ index }) => index < administrators);

const asText = { getTypeParser: () => String } as unknown as CustomTypesConfig;
const variables: Record<string, string> = {};
const shared = process.env[clusterVariable];
let db: TestDatabase;
let api: TestApi;
let auditor: Client;

beforeAll(async () => {
  // Other test files make logins. A new installation loses no writes, and has no accepted finding.
  await startCluster({ fsync: "on", synchronous_commit: "on" });
  db = await auditedDatabase();
  api = await testApi(db);
  const demo = await makeOrganisation(db);
  await db.sql("update app.people set email = 'owner@demo.example' where id = $1", [demo.ownerId]);
  const key = await makeKey(db, demo.id, demo.ownerId, "admin");
  const bot = { name: "Guide", instructions: "Answer briefly." };
  expect((await api.call("POST", "/bots", { key: key.text, body: bot })).status).toBe(201);
  const { status } = await api.call("GET", "/bots", { key: makeCredential("bsk").text });
  expect(status).toBe(401);
  const checkpoints = testCheckpoints(db, { signer: signerFrom(readConfig().audit.origin, 1, db.key.checkpoints) });
  await checkpoints.run();
  await checkpoints.stop();
  Object.assign(variables, { organisation: demo.id, person: demo.ownerId, prefix: key.text.slice(0, 12) });
  // The process stores its counts within 10 seconds.
  for (const table of ["api_key_days", "refused_credentials"]) {
    await eventually(async () => (await db.sql(`select from app.${table}`)).length > 0);
  }
  auditor = new Client({ connectionString: urlAs("auditor", db.adminUrl, db.key) });
  await auditor.connect();
});

afterAll(async () => {
  await auditor?.end();
  await api?.stop();
  await db?.drop();
  await stopCluster();
  process.env[clusterVariable] = shared;
});

async function answer(text: string): Promise<string> {
  const query = text.replace(/:'(\w+)'/g, (_, name) => `'${variables[name]}'`);
  const { fields, rows } = await auditor.query({ text: query, rowMode: "array", types: asText });
  return printAnswer({ fields: fields.map(({ name }) => name), rows });
}

test("the page prints the answer to each question", async () => {
  const answers: string[] = [];
  for (const [, query = ""] of questions) answers.push(await answer(query));
  let written = 0;
  const expected = page.replace(question, (block, query, _printed, at) => {
    if (at >= administrators) return block;
    const printed = answers[written++];
    return `\`\`\`sql\n${query}\`\`\`\n${printed ? `\n\`\`\`text\n${printed}\n\`\`\`\n` : ""}`;
  });
  if (process.env.UPDATE_DOCS) writeFileSync(file, expected);
  else expect(page).toBe(expected);
});
