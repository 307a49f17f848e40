/** The contract: every operation of the API. */
import { bots } from "./bots.ts";
import { deliveries } from "./deliveries.ts";
import { keys } from "./keys.ts";
import { me } from "./me.ts";
import { memories } from "./memories.ts";
import type { Operation } from "./operation.ts";
import { platform } from "./platform.ts";
import { runs } from "./runs.ts";
import { webhooks } from "./webhooks.ts";

export const operations: readonly Operation[] = [
  ...me,
  ...keys,
  ...bots,
  ...memories,
  ...runs,
  ...webhooks,
  ...deliveries,
  ...platform,
];
