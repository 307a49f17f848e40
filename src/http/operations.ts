/** Routes a request to its operation. */
import type { IncomingMessage } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import { receiveHook } from "../contract/hook-inbox.ts";
import { maxBodyBytes, maxBodyValues, type Operation } from "../contract/operation.ts";
import { operations, portalOperations } from "../contract/operations.ts";
import { type Body, bodyOf, bodyWith, declaredLength, mayHaveBody, readBody, tooLarge } from "../request/body.ts";
import { makeRouter } from "../request/router.ts";
import { splitTarget } from "../request/target.ts";
import type { Backlog } from "../web/backlog.ts";
import { bearerOf } from "../web/bearer.ts";
import type { CallerAddress } from "../web/caller-address.ts";
import { isCsrfToken, type SessionCookie } from "../web/session-cookie.ts";
import { send } from "./answer/answer.ts";
import type { RequestHead } from "./context.ts";
import { newRequestId } from "./request-id.ts";
import type { Serve } from "./serve.ts";

const noBody = bodyOf({});
const match = makeRouter([...operations, ...portalOperations, receiveHook]);

type Parts = {
  serve: Serve;
  addressOf: CallerAddress;
  /** Bodies that are still arriving. */
  arriving: Backlog;
  /** Large answers that were not sent yet. */
  unsent: Backlog;
  portalCookie: SessionCookie;
};

/** Passes on requests whose path is no operation's. */
export function serveOperations({ serve, addressOf, arriving, unsent, portalCookie }: Parts): RequestHandler {
  const credentialOf = credentials(portalCookie);
  return async (request, response, next) => {
    const { path, query } = splitTarget(request.url);
    const { method } = request;
    const matched = match(method, path);
    if (matched.found === "nothing") return next();
    const operation = matched.found === "operation" ? matched.operation : matched.nearest;
    const head = {
      operation,
      params: matched.found === "operation" ? matched.params : {},
      path,
      query,
      hasBody: mayHaveBody(request),
      readBody: once(() => bodyOfRequest(operation, request, response, arriving)),
      idempotencyKey: header(request, "idempotency-key"),
      ifMatch: header(request, "if-match"),
      lastEventId: header(request, "last-event-id"),
      isLive: operation.feed === true && /\btext\/event-stream\b/i.test(request.headers.accept ?? ""),
      requestId: newRequestId(),
      ...credentialOf(request),
      address: addressOf(request),
      ...(matched.found === "path" ? { problem: { code: "not_supported" as const } } : {}),
    };
    const traceparent = header(request, "traceparent");
    await serve(head, { method, traceparent, request, response }, (answer) => {
      if (answer.code === "not_supported" && matched.found === "path") answer.headers.allow = matched.allow;
      send(response, answer, unsent);
    });
  };
}

/** The bearer token, or else the cookie of the portal. A write by cookie needs the CSRF token. */
function credentials(
  portalCookie: SessionCookie,
): (request: IncomingMessage) => Pick<RequestHead, "bearer" | "portalSession" | "forged"> {
  return (request) => {
    const bearer = bearerOf(request);
    const portalSession = bearer === undefined ? portalCookie.sessionOf(request) : undefined;
    if (portalSession === undefined) return { bearer };
    const isRead = request.method === "GET" || request.method === "HEAD";
    const forged = !isRead && !isCsrfToken(header(request, "x-csrf-token"), portalSession);
    return { bearer: portalSession, portalSession: true, forged };
  };
}

/** A body arrives once, but several cells may be asked. (cells/routed.ts) */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => (reading ??= read());
}

/** If the operation takes no body, only the declared length is checked. */
async function bodyOfRequest(
  operation: Operation,
  request: Request,
  response: Response,
  arriving: Backlog,
): Promise<Body | undefined> {
  if (!mayHaveBody(request)) return noBody;
  if (operation.body || operation.method === "post") {
    return readBody(request, response, arriving, maxBodyValues(operation));
  }
  return declaredLength(request) > maxBodyBytes ? bodyWith(tooLarge) : noBody;
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? undefined : value;
}
