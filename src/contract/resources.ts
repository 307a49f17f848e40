/** The contract by resource, in reading order. */
import { approvals } from "./approvals.ts";
import { audit } from "./audit.ts";
import { auditStreams } from "./audit-streams.ts";
import { batch } from "./batch.ts";
import { bots } from "./bots.ts";
import { deliveries } from "./deliveries.ts";
import { eventFeed } from "./event-feed.ts";
import { exports } from "./exports.ts";
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
import type { PortalSection } from "./portal-sections.ts";
import { portalSessions } from "./portal-sessions.ts";
import { recovery } from "./recovery.ts";
import { routines } from "./routines.ts";
import { watchRun } from "./run-events.ts";
import { runs } from "./runs.ts";
import { stats } from "./stats.ts";
import { webhooks } from "./webhooks.ts";

export type Resource = {
  name: string;
  description: string;
  operations: readonly Operation[];
  /** The section of the portal; without one, portal sessions do not reach the operations. */
  section?: PortalSection;
};

export const resources: readonly Resource[] = [
  {
    name: "Me",
    description: "The calling key, its person, and the organisation's limits.",
    operations: me,
  },
  { name: "Organisation", description: "The organisation of the key.", operations: organisation, section: "overview" },
  {
    name: "Keys",
    description: "API keys. A key acts as the person who created it, and works while that person is an owner or admin.",
    operations: keys,
    section: "keys",
  },
  { name: "Models", description: "Models that bots can have.", operations: models, section: "bots" },
  { name: "Bots", description: "Named assistants with instructions and a model.", operations: bots, section: "bots" },
  {
    name: "Memories",
    description: "Statements that bots use in answers, each with its lawful basis and its provenance.",
    operations: memories,
    section: "memories",
  },
  {
    name: "Runs",
    description: "Requests to bots: from a message to its answer.",
    operations: [...runs, watchRun],
    section: "runs",
  },
  {
    name: "Approvals",
    description:
      "Questions and proposals of runs. A person answers them on a page linked in a mail; API keys only read them.",
    operations: approvals,
    section: "approvals",
  },
  {
    name: "Routines",
    description: "Schedules that send a message to a bot. Beyond the specification.",
    operations: routines,
    section: "routines",
  },
  {
    name: "Hooks",
    description: "Inbound webhooks: other systems post signed messages that start runs. Beyond the specification.",
    operations: hooks,
    section: "hooks",
  },
  {
    name: "Webhooks",
    description: "Outbound webhooks: endpoints that receive signed events.",
    operations: webhooks,
    section: "endpoints",
  },
  {
    name: "Deliveries",
    description: "Deliveries of events to endpoints, with their attempts, recovery and statistics.",
    operations: [...deliveries, ...recovery, ...stats],
    section: "endpoints",
  },
  {
    name: "Events",
    description: "All events of the organisation, delivered or not.",
    operations: eventFeed,
    section: "events",
  },
  {
    name: "Audit",
    description: "The audit log: changes, with their actors, and its stream to an endpoint.",
    operations: [...audit, ...auditStreams],
    section: "audit",
  },
  {
    name: "Exports",
    description: "Exports of everything that an owner may read, in parts, with a manifest that the audit log covers.",
    operations: exports,
    section: "overview",
  },
  {
    name: "Members",
    description: "People of the organisation and their roles.",
    operations: members,
    section: "members",
  },
  {
    name: "Invitations",
    description: "Mailed invitations to the organisation.",
    operations: invitations,
    section: "members",
  },
  {
    name: "Portal",
    description: "Links that open the portal, the organisation's own pages, for a member.",
    operations: portalSessions,
  },
  { name: "Batch", description: "Several operations in one request and one transaction.", operations: batch },
  {
    name: "Platform",
    description:
      "Creation of organisations with an operator's platform key. Keys of organisations cannot call these operations.",
    operations: platform,
  },
];
