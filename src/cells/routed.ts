/**
 * Answers operations from the cell that has the caller's organisation. A cell that the organisation has left says so before
 * anything is changed, and the call goes to the other cell.
 */

import { addressOfHook } from "../api/hook-inbox.ts";
import type { Answering } from "../api/perform.ts";
import type { Answer, Request } from "../api/request.ts";
import { deadlineOf, withinDeadline } from "../api/request.ts";
import { refusal } from "../api/stages/respond.ts";
import { hasOrganisationMoved } from "../database/outage.ts";
import { classOf, digestOf } from "../secrets/credentials.ts";
import type { OpenCells } from "./open-cells.ts";
import type { AskCell, PlatformOperations } from "./platform-operations.ts";
import type { Routes } from "./routes.ts";
import type { UnknownCredentials } from "./unknown-credentials.ts";

type Parts = { cells: OpenCells; routes: Routes; platform: PlatformOperations; unknown: UnknownCredentials };

export function answerFromCells({ cells, routes, platform, unknown }: Parts): Answering {
  return {
    answer: (request, http, response) => routed(request, (cell, attempt) => cell.answer(attempt, http, response)),
    perform: (request, authenticate) => routed(request, (cell, attempt) => cell.perform(attempt, authenticate)),
    callerOf(request) {
      const credential = credentialOf(request);
      return ((credential && routes.cached(credential)?.cell) ?? cells.own).callerOf(request);
    },
    noteUsage(request, answer) {
      const organisationId = answer.caller?.organisationId;
      const cell = organisationId ? routes.cellOf(organisationId) : undefined;
      (cell ?? cells.own).noteUsage(request, answer);
    },
    noteRefusal(request, answer) {
      const credential = credentialOf(request);
      ((credential && routes.cached(credential)?.cell) ?? cells.own).noteRefusal(request, answer);
    },
    mayAnswerUnknownPath(bearer, address) {
      const cell = bearer === undefined ? undefined : routes.cached(digestOf(bearer))?.cell;
      return (cell ?? cells.own).mayAnswerUnknownPath(bearer, address);
    },
  };

  async function routed(given: Request, ask: AskCell): Promise<Answer> {
    const credential = credentialOf(given);
    if (!credential) return ask(cells.own, given);
    const isPlatform = given.operation.keyClass === "platform";
    const answer = (found?: () => void) =>
      isPlatform ? platform(given, ask) : answerAtItsCell(given, credential, ask, found);
    if (isPlatform ? cells.own.callerOf(given) : routes.cached(credential)) return answer();
    const end = await withinDeadline(given, (until) => unknown.admit(given.address, until));
    return end ? answer(end).finally(end) : refusal("rate_limited", given.requestId);
  }

  /** @param found is called when the cell is known: the call may then take long */
  async function answerAtItsCell(given: Request, credential: Buffer, ask: AskCell, found = () => {}): Promise<Answer> {
    const { keyClass } = given.operation;
    const request = keyClass === "hook" ? given : { ...given, digest: credential };
    for (let attempt = request; ; attempt = repeated(request)) {
      const until = deadlineOf(attempt);
      const cached = routes.cached(credential); // without a timer, which each call would pay for
      const route = cached ?? (await withinDeadline(attempt, () => routes.lookUp(credential, until)));
      if (route) found();
      try {
        const answer = await ask(route?.cell ?? cells.own, attempt);
        if (answer.code !== "unauthenticated" || !route || route.isFresh) return answer;
        // Another process may have learned that the organisation moved.
        const again = await withinDeadline(attempt, () => routes.lookUp(credential, until));
        if (!again || again.cell === route.cell) return answer;
      } catch (error) {
        if (!hasOrganisationMoved(error)) throw error;
        await withinDeadline(repeated(request), (end) => routes.untilArrived(credential, end));
      }
    }
  }
}

/** The call was counted. A read that waits for a run keeps the rest of its waiting time, and then has a deadline as every call. */
function repeated(request: Request): Request {
  const waitMs = request.operation.waits ? Number(request.query.get("wait")) * 1_000 : 0;
  if (!(waitMs > 0)) return { ...request, again: true };
  const now = performance.now();
  const query = new URLSearchParams(request.query);
  query.set("wait", String(Math.max(0, Math.floor((request.since + waitMs - now) / 1_000))));
  return { ...request, query, since: Math.min(now, request.since + waitMs), again: true };
}

/** As the directory has it; undefined for one that no cell would accept. */
function credentialOf({ operation, params, bearer }: Request): Buffer | undefined {
  if (operation.keyClass === "hook") {
    const address = addressOfHook(params.id ?? "");
    return address.length === 16 ? address : undefined;
  }
  return bearer !== undefined && classOf(bearer) ? digestOf(bearer) : undefined;
}
