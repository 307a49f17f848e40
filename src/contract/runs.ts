/** Runs. (docs/specification/runs.md) */
import { z } from "zod";
import { createdWithin, page, paging, uuid } from "./fields.ts";
import { metadata } from "./metadata.ts";
import { operation } from "./operation.ts";
import { runState, trigger } from "./run-fields.ts";
import { NewRun, ResumedRun, RetriedRun, wait } from "./run-requests.ts";
import { Message, Run, Step } from "./run-rows.ts";

export const runs = [
  operation({
    name: "list_runs",
    method: "get",
    path: "/runs",
    scope: "read",
    status: 200,
    summary: "List runs",
    searchTerms:
      "executions, requests, failed, running, history, slow, hanging, expensive, working on, busy, right now, " +
      "at the moment, past conversations, in progress, today, what did people ask, what are they doing, " +
      "what has been asked, costs, went wrong, last night",
    description:
      "Lists runs of bots that the key's person can see: state, steps and cost. Messages are readable only to the " +
      "person of the conversation.",
    query: z.object({
      ...paging,
      botId: uuid.optional().meta({ description: "Returns only runs of this bot." }),
      state: runState.optional().meta({ description: "Returns only runs in this state." }),
      trigger: trigger.optional().meta({ description: "Returns only runs with this trigger." }),
      metadata: metadata.optional().meta({
        description: "Returns only runs with these pairs, for example `metadata[order]=4711`. All pairs must match.",
      }),
      ...createdWithin("runs"),
      include: z
        .enum(["message"])
        .optional()
        .meta({ description: "`message`: returns the start of each run's message too." }),
    }),
    list: true,
    reply: page(Run),
  }),
  operation({
    name: "start_run",
    method: "post",
    path: "/runs",
    scope: "write",
    inPerson: true,
    status: 202,
    shortWrite: true,
    summary: "Start run",
    searchTerms:
      "ask the bot, assistant, send a message, prompt, talk, query, execute, invoke, trigger, " +
      "new conversation, talk to, chat with, write to, tell the bot to do, have it do, command line, " +
      "have the bot do something, give it a task, let it work, summarise, write me",
    description:
      "Adds the message to the conversation of the key's person with the bot, and responds at once. The run may " +
      "first wait for another run of the conversation. Follow it with `GET /runs/{id}` or with the webhook " +
      "event `run.finished`. Then `GET /runs/{id}/messages` has the answer. A run can use 50 steps, 2 euros and 10 " +
      "minutes.\n\nReturns `not_found` if the person " +
      "cannot see the bot or talk to it. Returns `unavailable` if no executor has served the model for one " +
      "minute. A run with a withdrawn model is accepted and fails with `refused`.",
    body: NewRun,
    reply: Run,
    location: "/runs/",
    refusals: ["not_found", "unavailable"],
    reasons: ["billing_inactive", "concurrency_key_busy"],
  }),
  operation({
    name: "get_run",
    method: "get",
    path: "/runs/{id}",
    scope: "read",
    status: 200,
    summary: "Retrieve run",
    searchTerms:
      "status, progress, finished, done, ready, wait for the answer, result, why it failed, poll, hangs, slow, " +
      "still running, answered, has it answered, how long, why did it stop, what did it cost, money, spend, " +
      "took, where is my answer, takes so long, how far, outcome, not answered yet",
    description:
      "Returns the state, the steps and the cost of a run. `error` states why a run failed. With `wait`, the response is " +
      "sent when the run is neither `queued` nor `running`, or after that many seconds. Call again to wait longer. " +
      "`GET /runs/{id}/messages` has the answer of the bot.",
    query: z.object({ wait }),
    pointRead: true,
    waits: true,
    reply: Run,
    refusals: ["not_found"],
  }),
  operation({
    name: "cancel_run",
    method: "post",
    path: "/runs/{id}/cancel",
    scope: "write",
    status: 200,
    summary: "Cancel run",
    searchTerms:
      "stop, abort, kill, end, interrupt, terminate, execution, hangs, hanging, endless, slow, too long, " +
      "burning money, stop it now, make it stop, runaway, loop, wrong question, take back, undo, " +
      "did not mean it, never mind, by mistake, asked the wrong thing, enough",
    description: "Stops a run. Cancelling a run that has ended changes nothing and sends no event.",
    reply: Run,
    refusals: ["not_found"],
  }),
  operation({
    name: "resume_run",
    method: "post",
    path: "/runs/{id}/resume",
    scope: "write",
    inPerson: true,
    status: 200,
    summary: "Resume blocked run",
    searchTerms:
      "continue, unblock, stuck, waiting, reply to the bot, hangs, asks me something, needs information, " +
      "needs an answer, give it more, keep going, stopped, pick up, left off, carry on, proceed, blocked",
    description:
      "Continues a blocked run. A run is `blocked` if the bot stopped without an answer; its last message states why. The " +
      "run returns to " +
      "the queue of its conversation and keeps its steps and its cost.",
    body: ResumedRun,
    reply: Run,
    refusals: ["not_found"],
    reasons: ["not_own_conversation", "run_not_blocked"],
  }),
  operation({
    name: "retry_run",
    method: "post",
    path: "/runs/{id}/retry",
    scope: "write",
    inPerson: true,
    status: 202,
    summary: "Retry run",
    searchTerms:
      "again, repeat, rerun, redo, second attempt, once more, failed, from the step, continue after a failure, " +
      "try it again, do it over, start over, same question, same message",
    description:
      "Starts a run with the message, the metadata and the concurrency key of a run that has ended. It is checked and counted like any start. " +
      "With `fromStep`, the results of the steps before are used again, free of charge, if an executor stored each of " +
      "them: results are stored for 7 days. A run is retried at most 20 times, with retries of its retries.",
    body: RetriedRun,
    reply: Run,
    location: "/runs/",
    refusals: ["not_found", "unavailable"],
    reasons: [
      "billing_inactive",
      "not_own_conversation",
      "run_not_ended",
      "run_retried_too_often",
      "step_without_result",
    ],
  }),
  operation({
    name: "list_run_messages",
    method: "get",
    path: "/runs/{id}/messages",
    scope: "read",
    status: 200,
    summary: "List run messages",
    searchTerms:
      "reply, response, output, result, transcript, what the bot or assistant said, answered, said, " +
      "what did we talk about, what was said, read the chat, last week, last Tuesday, wording, talked, " +
      "what was the answer, whole conversation, what exactly did it say",
    description:
      "Lists the messages of a run: the person's and the bot's. Returns `not_found` for anyone except the person of the " +
      "conversation, even for an owner.",
    query: z.object(paging),
    list: true,
    reply: page(Message),
    refusals: ["not_found"],
  }),
  operation({
    name: "list_run_steps",
    method: "get",
    path: "/runs/{id}/steps",
    scope: "read",
    status: 200,
    summary: "List run steps",
    searchTerms:
      "trace, tools, tool calls, actions, what the bot did, debug, tokens, step by step, " +
      "what exactly did it do, why did it answer so, how did it come to the answer, reasoning, thinking, " +
      "before the answer, which memories did it use, explain, where did it look, sources",
    description:
      "Lists what a run did, with tokens and cost. Steps are readable if the key's person can see the bot. Newest first. " +
      "Steps are stored for 90 days from " +
      "the start of the run by default; after that the list is empty, and `steps` and `spendMicroCents` of the " +
      "run remain.",
    query: z.object(paging),
    list: true,
    reply: page(Step),
    refusals: ["not_found"],
  }),
];
