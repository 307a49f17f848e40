/** The commands of docs/backups.md that move a database to another cluster as a dump, with PostgreSQL's own programs. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { cleanUp, newDataFolder, start } from "../support/embedded.ts";
import { counted } from "../support/endpoint-counts.ts";
import { leaseDue, makeDue, makeEndpoint, record } from "../support/endpoint-leases.ts";
import { makeEvents } from "../support/events.ts";
import { commandFor, testWithPostgresClient } from "../support/postgres-client.ts";
import { cli } from "../support/program.ts";
import { query } from "../support/query.ts";

const shelf = mkdtempSync(join(tmpdir(), "botstead-dump-"));
let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
});

afterAll(async () => {
  await db.drop();
  await cleanUp();
  rmSync(shelf, { recursive: true, force: true });
});

/** The blocks of commands in the section of the page. */
function printed(): string[] {
  const page = readFileSync(new URL("../../docs/backups.md", import.meta.url), "utf8");
  const section = page.slice(page.indexOf("\n## A dump into a new cluster"));
  return [...section.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, commands = ""]) => commands);
}

/** Programs under the names that the page calls. */
function putPrograms(): string {
  const folder = join(shelf, "bin");
  mkdirSync(folder);
  const programs = { npx: [process.execPath, cli] } as Record<string, string[]>;
  for (const name of ["pg_dump", "pg_restore", "psql"]) programs[name] = commandFor(name);
  for (const [name, line] of Object.entries(programs)) {
    const skipped = name === "npx" ? "shift\n" : ""; // the name of the package
    writeFileSync(join(folder, name), `#!/bin/sh\n${skipped}exec ${line.map((word) => `'${word}'`).join(" ")} "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

async function makeAttempts(organisation: string): Promise<void> {
  const worker = db.poolAs("worker", 1);
  const endpoint = await makeEndpoint(db, organisation);
  await makeDue(db, endpoint, 1);
  const leases = await leaseDue(worker, endpoint);
  await record(
    worker,
    organisation,
    leases.map((lease) => [lease, { statusCode: 200 }]),
  );
  await worker.end();
}

const findings = (url: string) => query(url, "select rule, object, what from audit.findings");
const readableEvents = (url: string) =>
  query(
    url,
    `select id, kind, data, event.position, event.position <= head.event_position as readable
     from app.events event join app.audit_chain_heads head using (organisation_id) order by id`,
  );

testWithPostgresClient(
  "a dump restored into a new cluster as printed has all rows, readable events and one finding",
  async () => {
    const organisation = await makeOrganisation(db);
    await makeEvents(db, { organisationId: organisation.id }, { count: 3 });
    await makeAttempts(organisation.id);
    const folder = newDataFolder();
    mkdirSync(folder, { recursive: true });
    const target = await start(folder);
    await query(target.url, "create database moved template template0");
    const url = urlOfDatabase("moved", target.url);
    const env = {
      PATH: `${putPrograms()}:/usr/bin:/bin`,
      OLD: db.adminUrl,
      DATABASE_URL: url,
      MASTER_KEY: db.masterKey,
    };
    const blocks = printed();
    expect(blocks).toHaveLength(2);
    for (const block of blocks) {
      const { status, stdout, stderr } = spawnSync("/bin/sh", ["-e", "-c", block], {
        cwd: shelf,
        env,
        encoding: "utf8",
      });
      expect([block, status, stdout, stderr]).toEqual([block, 0, "", expect.not.stringMatching(/error|remain/i)]);
    }

    const before = await readableEvents(db.adminUrl);
    expect(before).toHaveLength(4); // three, and the event of the delivery
    expect(await readableEvents(url)).toEqual(before.map((event) => ({ ...event, readable: true })));
    expect(await findings(url)).toEqual([
      { rule: "difference", object: "extension pg_trgm", what: "It was changed in extowner." },
    ]);
    const [kept, expected] = await counted((text) => query(url, text));
    expect(kept).toEqual(expected);
    expect(kept).toHaveLength(2); // the delivery, and its attempt
    expect(await query(url, "select id, name from app.organisations")).toEqual(
      await query(db.adminUrl, "select id, name from app.organisations"),
    );
  },
);
