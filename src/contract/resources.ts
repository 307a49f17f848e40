/** The contract by resource, in the order in which it is read. */
import { approvals } from "./approvals.ts";
import { audit } from "./audit.ts";
import { batch } from "./batch.ts";
import { bots } from "./bots.ts";
import { deliveries } from "./deliveries.ts";
import { eventFeed } from "./event-feed.ts";
import { hooks } from "./hooks.ts";
import { invitations } from "./invitations.ts";
import { keys } from "./keys.ts";
import { me } from "./me.ts";
import { members } from "./members.ts";
import { memories } from "./memories.ts";
import { models } from "./models.ts";
import type { Operation } from "./operation.ts";
import { organisation } from "./organisation.ts";
import { platform } from "./platform.ts";
import { recovery } from "./recovery.ts";
import { routines } from "./routines.ts";
import { watchRun } from "./run-events.ts";
import { runs } from "./runs.ts";
import { stats } from "./stats.ts";
import { webhooks } from "./webhooks.ts";

export type Resource = { name: string; description: string; operations: readonly Operation[] };

export const resources: readonly Resource[] = [
  {
    name: "Me",
    description: "Who is asking: the key, its person, and what is left of the organisation's limits.",
    operations: me,
  },
  { name: "Organisation", description: "The organisation that the key belongs to.", operations: organisation },
  {
    name: "Keys",
    description: "API keys. Each is bound to the admin who made it, and works as long as they are one.",
    operations: keys,
  },
  { name: "Models", description: "Which models bots may have.", operations: models },
  { name: "Bots", description: "Who does the work.", operations: bots },
  {
    name: "Memories",
    description: "Claims that people write down and bots recall, each with its ground and its origin.",
    operations: memories,
  },
  { name: "Runs", description: "Work: a message to a bot, and what came of it.", operations: [...runs, watchRun] },
  {
    name: "Approvals",
    description: "Cards that a run's person has to answer, on a page whose link they are mailed. No key answers one.",
    operations: approvals,
  },
  {
    name: "Routines",
    description: "What a bot is told by the clock: a message on a schedule. Beyond the specification.",
    operations: routines,
  },
  {
    name: "Hooks",
    description:
      "Inbound webhooks: addresses to which other systems post what a bot is to work on, signed. Beyond the specification.",
    operations: hooks,
  },
  {
    name: "Webhooks",
    description: "Addresses to which events are posted, each signed with a secret of its own.",
    operations: webhooks,
  },
  {
    name: "Deliveries",
    description: "What was posted to an endpoint, attempt by attempt; and what to do when some of it was missed.",
    operations: [...deliveries, ...recovery, ...stats],
  },
  { name: "Events", description: "What happened, whether or not it was posted anywhere.", operations: eventFeed },
  { name: "Audit", description: "What was done with all this, by whom, and with which key.", operations: audit },
  { name: "Members", description: "The people of the organisation and their roles.", operations: members },
  { name: "Invitations", description: "People who were asked to join, by mail.", operations: invitations },
  { name: "Batch", description: "Several operations in one request and one transaction.", operations: batch },
  {
    name: "Platform",
    description: "Founding organisations, with an operator's platform key. No organisation's key reaches these.",
    operations: platform,
  },
];
