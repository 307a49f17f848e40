/**
 * `/mcp`: the Model Context Protocol over streamable HTTP, without sessions. A tool performs an operation as a request
 * for it would, so rate limits, refusals, metrics and the log are the same. (docs/mcp.md)
 */
import { randomUUID } from "node:crypto";
import { type Request, type Response, Router } from "express";
import { bodyOf } from "../api/body.ts";
import { only } from "../api/pages/methods.ts";
import type { Serve } from "../api/perform.ts";
import { type Answer, type Request as ApiRequest, newRequest, newRequestId } from "../api/request.ts";
import { readBody } from "../api/stages/read.ts";
import { refusal, send } from "../api/stages/respond.ts";
import type { Operation, Scope } from "../contract/operation.ts";
import { bearerOf } from "../secrets/credentials.ts";
import type { Backlog } from "../web/backlog.ts";
import type { CallerAddress } from "../web/head.ts";
import { requestOf } from "./arguments.ts";
import type { Catalogue } from "./catalogue.ts";
import { challenge } from "./oauth/metadata.ts";
import { toolOperations } from "./offered.ts";
import { calledOf } from "./results.ts";
import type { Session } from "./session.ts";
import type { Arguments } from "./tools.ts";

type Parts = {
  serve: Serve;
  addressOf: CallerAddress;
  /** Bodies that are still arriving. */
  arriving: Backlog;
  baseUrl: string;
};

/** A call holds the body of one operation, and the JSON around it. */
const maxValues = 1_100;

const getMe = toolOperations.get("get_me") as Operation;

export function mcpPages({ serve, addressOf, arriving, baseUrl }: Parts): Router {
  const router = Router({ strict: true, caseSensitive: true });
  let catalogue: Catalogue | undefined;

  router.post("/mcp", async (request, response) => {
    const refuse = (answer: Answer) => {
      response.locals.code = answer.code;
      if (answer.status === 401)
        answer.headers["www-authenticate"] = challenge(baseUrl, bearerOf(request) !== undefined);
      send(response, answer);
    };
    // Checks the credential and counts the request before its body is read.
    const me = await perform(request, response, getMe, { given: {} });
    if (me.answer.status !== 200) return refuse(me.answer);
    const { origin } = request.headers;
    // The protocol demands it, although a page of another origin has no key.
    if (origin !== undefined && origin !== new URL(baseUrl).origin) {
      return refuse(refusal("forbidden", response.locals.requestId));
    }
    const body = await readBody(request, response, arriving, { maxBodyValues: maxValues });
    if (!body) return; // the caller has disconnected
    if ("problem" in body) return refuse(refusal(body.problem.code, response.locals.requestId, body.problem.details));
    // Most processes never need them.
    const [{ answerRpc }, { makeCatalogue }] = await Promise.all([import("./server.ts"), import("./catalogue.ts")]);
    catalogue ??= makeCatalogue(baseUrl);
    const call: Session["call"] = async (operation, given, onDelta) => {
      const { answer, idempotencyKey } = await perform(request, response, operation, { given, again: true, onDelta });
      return calledOf(answer, idempotencyKey);
    };
    const session: Session = {
      ...catalogue,
      listsAll: new URL(request.url, baseUrl).searchParams.get("tools") === "all",
      scope: scopeOf(me.answer),
      call,
    };
    await answerRpc(session, { request, response, message: body.value });
  });
  router.all("/mcp", only("post"));
  return router;

  /** Performs an operation as a request for it would. `again`: whether the request was counted already */
  async function perform(
    request: Request,
    response: Response,
    operation: Operation,
    { given, again = false, onDelta }: Pick<ApiRequest, "again" | "onDelta"> & { given: Arguments },
  ): Promise<{ answer: Answer; idempotencyKey: string | undefined }> {
    const { idempotencyKey: chosen, ...parts } = requestOf(operation, given);
    const idempotencyKey = operation.needsIdempotencyKey ? (chosen ?? randomUUID()) : undefined;
    const requestId = newRequestId();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const performed = newRequest({
      ...{ ...parts, operation, idempotencyKey, requestId, again, onDelta },
      body: bodyOf(parts.body),
      bearer: bearerOf(request),
      address: addressOf(request),
    });
    const method = operation.method.toUpperCase();
    await serve(performed, { method, traceparent: undefined, http: request, response }, resolve);
    return { answer: await promise, idempotencyKey };
  }
}

const scopeOf = ({ body }: Answer): Scope => (JSON.parse(body) as { key: { scope: Scope } }).key.scope;
