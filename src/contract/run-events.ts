/** What happens to a run, as it happens. (docs/specification/runs.md#event-stream.) */
import { z } from "zod";
import { approvalNeeded } from "./events.ts";
import { times } from "./examples.ts";
import { operation } from "./operation.ts";
import { exampleRun, Message, Run, Step } from "./run-rows.ts";

const number = z.int().meta({ description: "The `id` to go on after: numbers from 1." });

function happening<Name extends string, Data extends z.ZodType>(id: string, event: Name, data: Data, about: string) {
  return z.object({ id: number, event: z.literal(event), data }).meta({ id, description: about });
}

const RunEvent = z
  .discriminatedUnion("event", [
    happening("RunStateEvent", "state", Run, "It came into another state: the run as it was then."),
    happening("RunStepEvent", "step", Step, "Its executor took a step."),
    happening(
      "RunMessageEvent",
      "message",
      Message,
      "The bot said something. Told to the conversation's person alone.",
    ),
    happening(
      "RunApprovalEvent",
      "approval",
      approvalNeeded.data,
      "It asks its person for something, as the webhook `approval.needed` tells. Told to that person alone.",
    ),
    happening("RunEndEvent", "end", Run, "It has ended. Nothing comes after it."),
  ])
  .meta({
    id: "RunEvent",
    description: "The fields of one server-sent event; `data` is JSON on one line.",
    examples: [{ id: 5, event: "end", data: { ...exampleRun, state: "cancelled", finishedAt: times.finished } }],
  });

export const watchRun = operation({
  name: "watch_run",
  method: "get",
  path: "/runs/{id}/events",
  scope: "read",
  status: 200,
  summary: "Watch a run: its states, steps and answer as they happen",
  description:
    "A stream of server-sent events: all that has happened to the run, in order and each exactly once, then what happens, " +
    "until `end`, with which the service closes the stream. It closes it after some minutes too, or when it is itself " +
    "started anew: ask again with the `id` of the last event as `Last-Event-ID`, and it goes on after it with nothing " +
    "lost and nothing told twice. A run that has ended answers its `end` to everybody, whatever they have read before: so " +
    "stop at `end`. The credential is a header, which a browser's EventSource can't send: read with `fetch`, with " +
    "`curl -N`, or with the client's `watch`. A comment every 15 seconds keeps the connection alive. A key holds at most " +
    "100 requests open, streams and reads that `wait`, and an organisation a tenth of the free ones, which are at most 10,000 a " +
    "process; one more is `rate_limited`.",
  stream: true,
  reply: RunEvent,
  refusals: ["not_found"],
});
