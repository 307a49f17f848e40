/**
 * The specification as tests, black box over HTTP and the command line. All sections share one installation, because its
 * start costs more than most of them.
 */
import "./section-1-service.ts";
import "./section-2-resources.ts";
import "./section-3-states.ts";
import "./section-4-conventions.ts";
import "./section-4-keys.ts";
import "./section-4-memories.ts";
import "./section-4-runs.ts";
import "./section-4-webhooks.ts";
import "./section-4-members.ts";
import "./section-4-others.ts";
import "./section-4-recent.ts";
import "./section-5-authentication.ts";
import "./section-6-events.ts";
import "./section-7-errors.ts";
import "./section-8-limits.ts";
import "./section-9-versioning.ts";
import { untested } from "./sentences.ts";
import { startService, stopService } from "./service.ts";
import { anchorsWithoutTest } from "./specified.ts";

beforeAll(startService);
afterAll(stopService);

test("each sentence has a test, or its reason for none is printed", () => {
  expect(anchorsWithoutTest()).toEqual([]);
  const lines = Object.entries(untested).map(([anchor, { fact, reason }]) => `  ${anchor}: ${fact} (${reason})`);
  console.info(["Sentences of the specification without a test here:", ...lines].join("\n"));
});
