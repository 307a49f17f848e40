/** Runs. (Part 2, "Run"; part 4, "Runs".) */
import { z } from "zod";
import { page, paging, text, timestamp, uuid } from "./fields.ts";
import { operation } from "./operation.ts";

const state = z.enum([
  "queued",
  "running",
  "waiting_approval",
  "blocked",
  "paused_limit",
  "completed",
  "failed",
  "cancelled",
]);

const errorCode = z.enum([
  "budget_steps",
  "budget_spend",
  "budget_time",
  "executor_failed",
  "executor_lost",
  "refused",
  "internal",
]);

const Run = z.object({
  id: uuid,
  botId: uuid,
  conversationId: uuid,
  routineId: uuid.nullable(),
  state,
  trigger: z.enum(["api", "message", "routine", "webhook"]),
  taint: z.boolean(),
  steps: z.int(),
  spendMicroCents: z.int().meta({ description: "Micro-cents: 1,000,000 are one cent." }),
  error: z.object({ code: errorCode, message: z.string() }).nullable(),
  createdAt: timestamp,
  finishedAt: timestamp.nullable(),
});

const Message = z.object({
  id: uuid,
  runId: uuid,
  conversationId: uuid,
  author: z.enum(["person", "bot"]),
  text: z.string(),
  memoryIds: z.array(uuid).meta({ description: "The claims that an answer rests on, best first." }),
  createdAt: timestamp,
});

const NewRun = z.object({
  botId: uuid,
  message: text(1, 32_000),
  untrusted: z.boolean().default(false),
});

export const runs = [
  operation({
    name: "list_runs",
    method: "get",
    path: "/runs",
    scope: "read",
    status: 200,
    summary: "List the runs of bots that the key's person sees",
    query: z.object({ ...paging, botId: uuid.optional(), state: state.optional() }),
    list: true,
    reply: page(Run),
  }),
  operation({
    name: "start_run",
    method: "post",
    path: "/runs",
    scope: "write",
    status: 202,
    summary: "Start a run with a message to a bot",
    body: NewRun,
    reply: Run,
    location: "/runs/",
    refusals: ["not_found", "payment_required", "quota_exceeded", "unavailable"],
  }),
  operation({
    name: "get_run",
    method: "get",
    path: "/runs/{id}",
    scope: "read",
    status: 200,
    summary: "Read a run",
    pointRead: true,
    reply: Run,
    refusals: ["not_found"],
  }),
  operation({
    name: "cancel_run",
    method: "post",
    path: "/runs/{id}/cancel",
    scope: "write",
    status: 200,
    summary: "Cancel a run; a finished one stays as it is",
    reply: Run,
    refusals: ["not_found"],
  }),
  operation({
    name: "list_run_messages",
    method: "get",
    path: "/runs/{id}/messages",
    scope: "read",
    status: 200,
    summary: "List what the person and the bot said in a run of one's own",
    query: z.object(paging),
    list: true,
    reply: page(Message),
    refusals: ["not_found"],
  }),
];
