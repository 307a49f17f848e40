/** The English texts of endpoints, deliveries and events. */
import type { Schemas } from "../schemas.ts";

/** "run" of "run.finished" */
type EventGroup = Schemas["Webhook"]["events"][number] extends infer Kind
  ? Kind extends `${infer Group}.${string}`
    ? Group
    : never
  : never;

const runStates = {
  running: "running",
  blocked: "blocked",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

export const endpointTexts = {
  title: "Endpoints",
  caption: "Endpoints",
  empty: "No endpoints yet. An endpoint is an address of yours that receives events.",
  columns: {
    endpoint: "Endpoint",
    state: "State",
    events: "Events",
    failures: "Failed in a row",
    last: "Last delivery",
    created: "Created",
  },
  failingText: "The endpoint has failed since",
  failuresText: (count: number) =>
    count === 0
      ? "Failed attempts are repeated."
      : `The last ${count === 1 ? "delivery" : `${count} deliveries`} used up the attempts. After 10 in a row the endpoint is disabled.`,
  secretLostText: "The service cannot open the signing secret since",
  rotateText: "Deliveries wait. Rotate the secret, and store the new one where your endpoint verifies deliveries.",
  disabledText: [
    "The endpoint is disabled, and receives nothing.",
    "Enable it when it works again, then recover what it missed.",
  ],
  disabledReasons: {
    consecutive_failures: "Ten deliveries in a row have failed.",
    gone: "It answered that it is gone (410).",
    operator: "An operator of the service has disabled it.",
  } satisfies Record<NonNullable<Schemas["Webhook"]["disabledReason"]>, string>,
  pausedText: "The endpoint is paused. Deliveries wait.",
  fields: {
    url: "Address",
    urlHint: "An https address with a public host name.",
    description: "Description",
    descriptionHint: "For people. It is not sent.",
    events: "Send when",
    groups: {
      run: "Runs",
      approval: "Approvals",
      memory: "Memories",
      key: "API keys",
      member: "Members",
      invitation: "Invitations",
      endpoint: "Endpoints",
      organisation: "Organisation",
      audit_stream: "Audit stream",
    } satisfies Record<EventGroup, string>,
    states: "Only runs with state",
    statesHint: "Concerns events of runs. None chosen: all states.",
    bots: "Only events of bot",
    botsHint: "None chosen: all bots.",
    order: "Send the events of one run in order",
  },
  runStates,
  create: {
    button: "Create an endpoint…",
    title: "Create an endpoint",
    action: "Create and test",
  },
  edit: { button: "Edit…", title: "Edit the endpoint", action: "Save", done: "The endpoint is saved." },
  test: {
    button: "Send a test",
    pending: "A test event is on its way…",
    arrived: (outcome: string, duration: string) => `The test has arrived: ${outcome}, ${duration}.`,
    failed: (outcome: string, duration: string) => `The test has failed: ${outcome}, ${duration}.`,
    ended: "The test has ended without an attempt.",
    show: "Show the delivery",
  },
  pause: { button: "Pause", done: "The endpoint is paused." },
  resume: { button: "Resume", done: "The endpoint is active." },
  enable: { button: "Enable", done: "The endpoint is active." },
  rotate: {
    button: "Rotate secret…",
    title: "Rotate the signing secret?",
    text: "The new secret takes effect at once. Let your endpoint accept both until it is stored.",
    action: "Rotate",
  },
  recover: {
    button: "Recover…",
    title: "Recover deliveries",
    text: "Sends again what the endpoint did not get in a period.",
    since: "From",
    until: "To",
    what: "What",
    whats: {
      failed: "Failed deliveries",
      missing: "Events without a delivery, as of pauses",
    } satisfies Record<Schemas["RecoverWhat"], string>,
    action: "Recover",
    done: (count: number) => `${count.toLocaleString()} deliveries are on their way.`,
    progress: (count: number, from: string | null) =>
      `${count.toLocaleString()} deliveries are on their way${from ? `, the time from ${from} is left` : ""}.`,
    stop: "Stop",
    stopped: "Stopped. Recover again to continue.",
  },
  remove: {
    button: "Delete endpoint…",
    title: "Delete the endpoint?",
    text: "It receives nothing more, and its open deliveries fail. Its deliveries stay readable.",
    action: "Delete endpoint",
    done: "The endpoint is deleted.",
  },
  secret: {
    title: "The signing secret",
    text: "Only this dialog shows the secret. Store it where your endpoint verifies deliveries.",
  },
  verify: {
    title: "Verify deliveries",
    text: "Signatures follow Standard Webhooks. Libraries of the standard verify them in most languages.",
  },
  one: {
    title: "Endpoint",
    back: "All endpoints",
    stats: "Attempts, last 24 hours",
    chart: "Deliveries per hour",
    times: "Response time per hour",
    delivered: "Delivered",
    failed: "Failed",
    pending: "Pending",
    share: "Delivered share",
    all: "all",
    bots: "Bots",
    runStates: "States of runs",
    ordered: "In order per run",
    yes: "yes",
    no: "no",
    id: "Id",
  },
  deliveries: {
    title: "Deliveries",
    caption: "Deliveries, newest first",
    empty: "No deliveries yet. An event that this endpoint receives is a delivery.",
    showEvents: "Show the events",
    noMatch: "No delivery matches.",
    live: "Refreshes every 5 seconds",
    stale: "The last refresh failed. The next one is in 5 seconds.",
    states: { pending: "pending", delivered: "delivered", failed: "failed" } satisfies Record<
      Schemas["DeliveryState"],
      string
    >,
    filters: { state: "State", event: "Event" },
    bulk: {
      choose: "Choose",
      all: "Choose all loaded deliveries that failed",
      action: (count: number) => (count ? `Send chosen deliveries again: ${count}` : "Send chosen deliveries again"),
      done: (count: number) => `Deliveries on their way again: ${count}.`,
    },
    columns: {
      event: "Event",
      state: "State",
      attempts: "Attempts",
      outcome: "Last outcome",
      created: "Created",
      next: "Next attempt",
      id: "Id",
    },
  },
};

export const deliveryTexts = {
  title: "Delivery",
  back: "The endpoint",
  redeliver: { button: "Send again", done: "The delivery is on its way again." },
  timeline: "Attempts",
  noAttempts: "No attempt yet. The service makes the first attempt within seconds.",
  triggers: { scheduled: "by schedule", manual: "by a person" },
  failures: {
    address: "its address is not allowed",
    dns: "its host name was not found",
    redirect: "it redirected",
    size: "its answer was too large",
    timeout: "it did not answer in time",
    transport: "the connection failed",
    scheme: "its address is no https address",
    secret: "its signing secret is lost: rotate it",
  } satisfies Record<Schemas["DeliveryFailure"], string>,
  noOutcome: "no answer yet",
  status: (code: number) => `status ${code}`,
  columns: { number: "No.", started: "Started", trigger: "Why", outcome: "Outcome", duration: "Duration" },
  facts: {
    state: "State",
    event: "Event",
    attempts: "Attempts",
    created: "Created",
    delivered: "Delivered",
    next: "Next attempt",
    id: "Id",
  },
  payload: "Payload",
  noPayload: "The payload is no longer stored.",
};

export const eventTexts = {
  title: "Events",
  caption: "Events, newest first",
  empty:
    "No events yet. An event says what happened, for example that a run has finished. Events are stored for 30 days.",
  noMatch: "No event of this kind.",
  filters: { event: "Event" },
  columns: { event: "Event", about: "Concerns", created: "Created", deliveries: "Deliveries", id: "Id" },
  about: {
    runId: "run",
    approvalId: "approval",
    botId: "bot",
    memoryId: "memory",
    routineId: "routine",
    webhookId: "endpoint",
    keyId: "key",
    userId: "member",
    limit: "limit",
  },
  data: "Data",
  none: "none",
  kinds: {
    link: "Kinds of events",
    title: "Kinds of events",
    back: "All events",
    text: "Each kind has an example of the body that endpoints receive. Ids and times are examples.",
    always: "Each of these events is stored, with or without a subscribed endpoint.",
    optIn: "These events are stored while an endpoint subscribes to them.",
    onRequest: "No endpoint subscribes to it. It is sent to one endpoint on request.",
    label: "example",
  },
};
