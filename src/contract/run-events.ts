/** Events of a run as a stream. (docs/specification/runs.md#event-stream) */
import { z } from "zod";
import { approvalNeeded } from "./events.ts";
import { times } from "./examples.ts";
import { operation } from "./operation.ts";
import { exampleRun, Message, Run, Step } from "./run-rows.ts";

const number = z
  .int()
  .meta({ description: "Number of the event, from 1. Send it as `Last-Event-ID` to continue after this event." });

function happening<Name extends string, Data extends z.ZodType>(id: string, event: Name, data: Data, about: string) {
  return z.object({ id: number, event: z.literal(event), data }).meta({ id, description: about });
}

/** Of the text that an executor is writing. (docs/specification/runs.md#deltas) */
const RunDelta = z
  .object({
    attempt: z.int().meta({ description: "Which executor of the run writes, from 1. Grows when another one begins." }),
    offset: z.int().meta({ description: "Number of characters before this piece. 0 begins the text again." }),
    text: z.string().meta({ description: "The piece: 1 to 1,000 characters." }),
  })
  .meta({
    id: "RunDelta",
    description: "A piece of a preview of the answer.",
    examples: [{ attempt: 1, offset: 42, text: " at noon, at" }],
  });

const RunEvent = z
  .discriminatedUnion("event", [
    happening("RunStateEvent", "state", Run, "The state changed. `data` is the run at that time."),
    happening("RunStepEvent", "step", Step, "The executor recorded a step."),
    happening(
      "RunMessageEvent",
      "message",
      Message,
      "The bot wrote a message. Sent only to the person of the conversation.",
    ),
    happening(
      "RunApprovalEvent",
      "approval",
      approvalNeeded.data,
      "The run needs an approval, as in the webhook event `approval.needed`. Sent only to the person of the " +
        "conversation.",
    ),
    happening("RunEndEvent", "end", Run, "The run has ended. The last event."),
    z.object({ event: z.literal("delta"), data: RunDelta }).meta({
      id: "RunDeltaEvent",
      description:
        "The executor is writing an answer: a piece of a preview. Sent only with `include=deltas`, and only to the person of the " +
        "conversation. It has no number, and is not repeated.",
    }),
  ])
  .meta({
    id: "RunEvent",
    description: "Fields of one server-sent event. `data` is JSON on one line.",
    examples: [{ id: 5, event: "end", data: { ...exampleRun, state: "cancelled", finishedAt: times.finished } }],
  });

export const watchRun = operation({
  name: "watch_run",
  method: "get",
  path: "/runs/{id}/events",
  scope: "read",
  status: 200,
  summary: "Stream run events",
  searchTerms: "follow, live, real time, progress, SSE, tail",
  description:
    "A stream of server-sent events. It starts with all past events of the run, continues with new ones, in " +
    "order and each exactly once, and closes after `end`. A run that has ended sends `end` again, " +
    "even after a later `Last-Event-ID`.\n\nThe service also closes a stream after 4 to 5 minutes, or when it restarts. " +
    "Connect " +
    "again with the `id` of the last event as `Last-Event-ID`: the stream continues without loss or repetition. " +
    "A comment every 15 seconds keeps the connection open.\n\nThe credential is a header, which EventSource in " +
    "browsers cannot send: use `fetch`, `curl -N`, or `watch` of the client.\n\nWith `include=deltas` the stream has `delta` events too: a preview of the answer as it is " +
    "written, from the moment at which the stream is open. Append `text` if `offset` is the length of the text so far, in " +
    "Unicode code points. Begin again at `offset` 0 or a greater `attempt`. At any other `offset`, a piece is missing. Drop the preview when " +
    "the run leaves `running`: the answer is in the `message` event. Executors need not send deltas.\n\nA key can hold 100 open requests, " +
    "streams and reads with `wait` together. An organisation can hold a tenth of the free places of a process, " +
    "which has at most 10,000. Beyond that, returns `rate_limited`.",
  query: z.object({
    include: z
      .enum(["deltas"])
      .optional()
      .meta({ description: "`deltas`: sends pieces of the answer too, while an executor writes it." }),
  }),
  stream: true,
  reply: RunEvent,
  refusals: ["not_found"],
});
