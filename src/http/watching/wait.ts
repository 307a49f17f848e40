/**
 * A read that waits until there is something to tell. While it waits it holds neither a connection nor a lane; it reads
 * again when word of its run comes, and once more before it is answered, so that a key that was revoked meanwhile is
 * told so. (decisions: "Beyond the specification", 1.)
 */
import type { ServerResponse } from "node:http";
import { isUnderWay } from "../../contract/run-fields.ts";
import { digestOf } from "../../secrets/credentials.ts";
import { type Answer, refusal } from "../answer.ts";
import { withinDeadline } from "../deadline.ts";
import { perform } from "../operation.ts";
import type { Asked, Service } from "../service.ts";

/** @throws Error of the database or of its connection. */
export async function performWaiting(asked: Asked, service: Service, response: ServerResponse): Promise<Answer> {
  const { news, places, stopping } = service.watching;
  const bell = makeBell();
  const hang = () => bell.hangUp();
  const unhear = news.hear(asked.params.id ?? "", bell.ring); // before the first read, so that nothing falls in between
  stopping.addEventListener("abort", hang);
  response.once("close", hang);
  let leave: (() => void) | undefined;
  try {
    const first = await withinDeadline((until) => perform({ ...asked, until }, service));
    const seconds = Number(asked.query.get("wait"));
    const mayWait = first.status === 200 && seconds > 0 && !stopping.aborted;
    if (!mayWait || !isUnderWay(JSON.parse(first.body))) return first;
    leave = places.take(digestOf(asked.bearer ?? ""));
    if (!leave) return noPlace(asked, first);
    const timer = setTimeout(hang, seconds * 1000);
    try {
      for (;;) {
        const isLast = !(await bell.rang());
        if (response.destroyed) return first; // to nobody
        const answer = await withinDeadline((until) => perform({ ...asked, until, again: true }, service));
        if (isLast || answer.status !== 200 || !isUnderWay(JSON.parse(answer.body))) return answer;
      }
    } finally {
      clearTimeout(timer);
    }
  } finally {
    unhear();
    stopping.removeEventListener("abort", hang);
    response.off("close", hang);
    leave?.();
  }
}

/** Every place that the key may hold is taken. */
export function noPlace({ requestId }: Asked, { headers, organisationId }: Answer): Answer {
  const refused = refusal("rate_limited", requestId);
  return { ...refused, headers: { ...headers, ...refused.headers }, organisationId };
}

/** What rings while nobody is at the door is answered by whoever comes next. */
function makeBell() {
  let hasRung = false;
  let isOver = false;
  let open = () => {};
  return {
    ring() {
      hasRung = true;
      open();
    },
    hangUp() {
      isOver = true;
      open();
    },
    /** True when it rang, false when there is no more to wait for. */
    async rang(): Promise<boolean> {
      if (!hasRung && !isOver) await new Promise<void>((resolve) => (open = resolve));
      hasRung = false;
      return !isOver;
    },
  };
}
