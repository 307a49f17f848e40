/** The contract: every operation of the API. */
import { batch } from "./batch.ts";
import { bots } from "./bots.ts";
import { deliveries } from "./deliveries.ts";
import { acceptInvitation, readInvitation } from "./invitation-page.ts";
import { invitations } from "./invitations.ts";
import { keys } from "./keys.ts";
import { me } from "./me.ts";
import { members } from "./members.ts";
import { memories } from "./memories.ts";
import type { Operation } from "./operation.ts";
import { organisation } from "./organisation.ts";
import { platform } from "./platform.ts";
import { runs } from "./runs.ts";
import { webhooks } from "./webhooks.ts";

export const operations: readonly Operation[] = [
  ...me,
  ...organisation,
  ...members,
  ...invitations,
  ...keys,
  ...bots,
  ...memories,
  ...runs,
  ...webhooks,
  ...deliveries,
  ...batch,
  ...platform,
];

/** What pages ask of the database: operations like the others, and not of the API. */
export const pageOperations: readonly Operation[] = [readInvitation, acceptInvitation];
