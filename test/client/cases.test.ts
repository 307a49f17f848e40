/** Both clients perform the cases of cases.json, against the real API behind a server that can fail. */
import { readFileSync } from "node:fs";
import { sign } from "../../src/delivery/signature.ts";
import { apiOfFile } from "../support/callers.ts";
import { testWith } from "../support/machine.ts";
import { startScriptedServer } from "../support/scripted-server.ts";
import type { Case, CaseStep, Driver } from "./case.ts";
import { expectationOf, filled } from "./expectation.ts";
import { type Front, startFront } from "./front.ts";
import { pythonDriver } from "./python-driver.ts";
import { typescriptDriver } from "./typescript-driver.ts";

const cases: Case[] = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8"));
const here = apiOfFile();
let front: Front;
let gone: string;

beforeAll(async () => {
  front = await startFront(here.api.url);
  const closed = await startScriptedServer();
  gone = closed.url;
  await closed.close();
});
afterAll(() => front.close());

const clients = [
  { name: "TypeScript", programs: [], start: () => typescriptDriver },
  { name: "Python", programs: ["python3-httpx"], start: () => pythonDriver() },
];
let emails = 0;

describe.each(clients)("$name", ({ programs, start }) => {
  const perform = testWith(...programs);
  let driver: Driver | undefined;
  afterAll(() => driver?.close());

  for (const { title, key, signed, steps } of cases) {
    perform(title, async () => {
      driver ??= start();
      const context: Record<string, unknown> = {
        gone,
        front: front.url,
        email: `client.${process.pid}.${++emails}@example.test`,
        signature: signed && sign(signed.secret, signed.timestamp, signed.body),
      };
      const keyText = key ? await keyOf(key) : "bsk_test";
      for (const step of steps) await take(driver, step, keyText, context);
    });
  }
});

async function keyOf(key: NonNullable<Case["key"]>): Promise<string> {
  return (key === "platform" ? await here.platform() : await here.owner(key)).key.text;
}

async function take(driver: Driver, caseStep: CaseStep, key: string, context: Record<string, unknown>) {
  const { script = ["forwards"], settings, as, expect: expected, seen, gapsMs, ...step } = caseStep;
  front.follow(script);
  const { suffix = "", baseUrl = front.url, ...more } = filled(settings ?? {}, context);
  const all = { key, backoffMs: 1, ...more, baseUrl: `${baseUrl}${suffix}` };
  const outcome = await driver.perform(all, filled(step, context));
  if (as) context[as] = outcome;
  if (expected === undefined) expect(outcome).not.toHaveProperty("error");
  else expect(outcome).toMatchObject(expectationOf(expected, context) as object);
  if (seen) expect(front.seen).toMatchObject(expectationOf(seen, { ...context, seen: front.seen }) as object);
  for (const [index, gap] of (gapsMs ?? []).entries()) {
    expect((front.seen[index + 1]?.at ?? 0) - (front.seen[index]?.at ?? 0)).toBeGreaterThanOrEqual(gap);
  }
}
