/** The English texts of the overview. */
import type { Schemas } from "../schemas.ts";

export type LimitName = keyof Schemas["Me"]["limits"];

export const overviewTexts = {
  title: "Overview",
  attention: {
    title: "Needs attention",
    none: "Nothing needs attention.",
    disabled: (name: string) => `The endpoint ${name} is disabled.`,
    failing: (name: string, since: string) => `The endpoint ${name} has failed since ${since}.`,
    secretLost: (name: string) => `The signing secret of the endpoint ${name} is lost. Rotate it.`,
    stream: {
      disabled: "The audit stream is disabled. The log is not sent.",
      failing: "The audit stream fails. Later entries wait.",
      secret_lost: "The signing secret of the audit stream is lost. Rotate it.",
      paused: "The audit stream is paused. The log is not sent.",
    },
    hookSecretLost: (name: string) => `The signing secret of the hook ${name} is lost. Rotate it.`,
    approvals: (count: string) => `Approvals that wait for an answer: ${count}`,
    blocked: (count: string) => `Blocked runs: ${count}`,
    stuck: (count: string) => `Queued runs whose model no executor serves: ${count}`,
    expiring: (name: string, day: string) => `The key ${name} expires on ${day}.`,
    limit: (name: string) => `The limit "${name}" is nearly used.`,
    limitReached: (name: string) => `The limit "${name}" is used up.`,
    deletion: (day: string) =>
      `The organisation and all its data will be deleted on ${day}. To keep them, ask your operator.`,
    unpaid: "There is no payment. Runs and new seats are refused.",
    trialEnded: "The trial has ended. Runs and new seats are refused until there is a payment.",
    trialEnds: (day: string) => `The trial ends on ${day}. After it, runs and new seats need a payment.`,
    pausedEndpoint: (name: string) => `The endpoint ${name} is paused. It gets no deliveries.`,
    routine: (name: string, what: string) => `Routine ${name}: ${what}`,
    hook: (name: string, what: string) => `Hook ${name}: ${what}`,
    paused: "Paused by a person.",
    skipped: (reason: string) => `The last time was skipped: ${reason}.`,
  },
  start: {
    title: "Get started",
    steps: {
      create_bot: "Create a bot, with instructions and a model",
      start_run: "Start a run: ask the bot something",
      create_webhook: "Create an endpoint that receives events",
    },
    done: "done",
  },
  limits: "Limits",
  /** `runStartsPerHour` as "Run starts per hour". A limit that is added to the service needs no text here. */
  limitName: (name: LimitName) =>
    name
      .replace("liveWebhooks", "liveEndpoints")
      .replace("webhookStartsPerHour", "runStartsByHooksPerHour")
      .replace("MicroCents", "")
      .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      .replace(/^./, (letter) => letter.toUpperCase()),
  charts: {
    runs: "Runs started per hour, last 24 hours",
    runsOf: { completed: "Completed", failed: "Failed or cancelled", open: "Open" },
    runsCut: (count: string) => `The chart has the newest ${count} runs only.`,
    deliveries: "Deliveries per hour, last 24 hours",
    delivered: "Delivered",
    failed: "Failed",
    pending: "Pending",
  },
};
