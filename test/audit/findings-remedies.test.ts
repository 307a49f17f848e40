/**
 * The remedies of audit.findings work as printed, in the printed order, and leave no finding. The faults of a file are planted
 * together, in a cluster of their own. A fault that cannot be planted beside the others waits for the next turn.
 */
import { Client } from "pg";
import { auditedDatabase } from "../support/audited.ts";
import { clusterVariable, startCluster, stopCluster } from "../support/cluster.ts";
import type { TestDatabase } from "../support/database.ts";
import { command, killPrograms } from "../support/program.ts";
import { faultsOfCatalogues } from "./faults/catalogues.ts";
import { faultsOfDatabase } from "./faults/database.ts";
import type { Fault, Faults } from "./faults/fault.ts";
import { faultsOfFunctions } from "./faults/functions.ts";
import { faultsOfLogins } from "./faults/logins.ts";
import { faultsOfOwnership } from "./faults/ownership.ts";
import { faultsOfPolicies } from "./faults/policies.ts";
import { faultsOfPrivileges } from "./faults/privileges.ts";
import { faultsOfRoles } from "./faults/roles.ts";
import { faultsOfSettings } from "./faults/settings.ts";
import { faultsOfTables } from "./faults/tables.ts";

type Finding = { rule: string; object: string; remedy: string };

const shared = process.env[clusterVariable];
let db: TestDatabase;
/** Of one session, which stays while the administrator's login is refused. */
let admin: Client;
let database: string;
let week: string;

beforeAll(async () => {
  await startCluster();
});

beforeEach(async () => {
  db = await auditedDatabase();
  database = new URL(db.adminUrl).pathname.slice(1);
  admin = new Client({ connectionString: db.adminUrl, options: "-c jit=off" });
  await admin.connect();
  const { rows } = await admin.query(
    "select right(max(relname), 8) as week from pg_class where relname like 'events_20______'",
  );
  week = rows[0]?.week;
});

afterEach(async () => {
  await admin.end();
  await db.drop();
});

afterAll(async () => {
  await killPrograms();
  await stopCluster();
  process.env[clusterVariable] = shared;
});

let planted = 0;

/** With names that no other fault has. */
function apart(text: string, number: number): string {
  const named = text.replace(/careless|outsider|\bwide\b|\bidle\b|\bmany\b|\bloose\b|\bids\b/g, `$&_${number}`);
  return named.replaceAll(":database", database).replaceAll(":week", week);
}

const ofRules = (faults: Faults): Fault[] =>
  Object.values(faults)
    .flatMap((stories) => Object.values(stories))
    .map((fault) => {
      planted += 1;
      return JSON.parse(JSON.stringify(fault), (_, text) =>
        typeof text === "string" ? apart(text, planted) : text,
      ) as Fault;
    });

const ofCatalogues = (): Fault[] =>
  Object.values(faultsOfCatalogues)
    .filter(([, , noRemedy]) => noRemedy === undefined)
    .map(([plant, object]) => ({ plant: apart(plant, 0), object: apart(object, 0) }));

/** As auditor, who may enter few schemas. */
async function findings(): Promise<Finding[]> {
  await admin.query("set session authorization auditor");
  const { rows } = await admin.query<Finding>("select rule, object, remedy from audit.findings");
  await admin.query("reset session authorization");
  return rows;
}

/** Plants what can be planted together. Returns the rest. */
async function plant(faults: Fault[]): Promise<{ now: Fault[]; later: Fault[] }> {
  const now: Fault[] = [];
  const later: Fault[] = [];
  for (const fault of faults) {
    const isPlanted = await admin.query(fault.plant).then(
      () => true,
      () => false,
    );
    (isPlanted ? now : later).push(fault);
  }
  return { now, later };
}

/** psql sends one statement at a time, and REINDEX DATABASE must be alone. */
const separate = (remedy: string) => (remedy.startsWith("reindex") ? remedy.split(/(?<=;) /) : [remedy]);

/** @returns the commands of botstead that were executed */
async function follow(found: Finding[], faults: Fault[]): Promise<string[]> {
  const commands: string[] = [];
  for (const { rule, object, remedy } of found) {
    const [name, ...args] = remedy.split(" ");
    if (remedy.endsWith(";")) {
      for (const statement of separate(remedy)) {
        await admin.query(statement).catch((error: Error) => {
          throw new Error(`${rule} of ${object}: ${remedy}: ${error.message}`);
        });
      }
    } else if (name === "botstead") {
      if (commands.includes(remedy)) continue;
      commands.push(remedy);
      const { code, stderr } = await command(args, { env: { DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey } });
      if (code !== 0) throw new Error(`${rule} of ${object}: ${remedy}: ${stderr}`);
    } else {
      const { cure } = faults.find((fault) => fault.object === object && fault.cure !== undefined) ?? {};
      if (cure === undefined) throw new Error(`${rule} of ${object} has no remedy to follow: ${remedy}`);
      await admin.query(cure);
    }
  }
  return commands;
}

const repair = "botstead migrate --repair";

// Groups whose faults can be planted together share a repair, which takes 6 s of processor time.
test.each<[string, () => Fault[], string[]]>([
  [
    "settings, the database and tables",
    () => [faultsOfSettings, faultsOfDatabase, faultsOfTables].flatMap(ofRules),
    [],
  ],
  [
    "added objects, ownership, logins, functions, policies and privileges",
    () => [
      ...ofCatalogues(),
      ...[faultsOfOwnership, faultsOfLogins, faultsOfFunctions, faultsOfPolicies, faultsOfPrivileges].flatMap(ofRules),
    ],
    [repair],
  ],
  // Last: a role that was renamed and made again owns nothing in the template of later databases.
  ["roles", () => ofRules(faultsOfRoles), ["botstead migrate --roles", repair]],
])("the printed remedies of %s leave no finding", async (_, made, allowed) => {
  let rest = made();
  while (rest.length > 0) {
    const { now, later } = await plant(rest);
    expect(now).not.toEqual([]);
    const found = await findings();
    const objects = found.map(({ object }) => object);
    expect(objects).toEqual(expect.arrayContaining(now.map(({ object }) => object)));
    const commands = await follow(found, now);
    expect(commands.filter((each) => !/executor revoke/.test(each) && !allowed.includes(each))).toEqual([]);
    expect(await findings()).toEqual([]);
    rest = later;
  }
});
