/**
 * Receives webhooks for hooks. A signature replaces the key. An unknown hook, a wrong signature and an old timestamp get the
 * same answer and count for the caller's address. An unknown hook is answered faster; hook ids are not secret.
 * (sql/api/hook_inbox.sql; docs/decisions/0027-hooks.md)
 */
import { hash } from "node:crypto";
import { type Request, type Response, Router } from "express";
import { text as textOf, uuid } from "../contract/fields.ts";
import { openHook, receiveHook } from "../contract/hook-inbox.ts";
import { bodyLimits } from "../contract/operation.ts";
import { isRefusalCode, type RefusalCode } from "../contract/refusals.ts";
import { isOutage } from "../database/outage.ts";
import { readSignature, verifiedSignature } from "../delivery/inbound.ts";
import { faultOf, type Log } from "../log.ts";
import { readBytes, type Unread } from "../request/body.ts";
import { digestOf } from "../secrets/credentials.ts";
import { open } from "../secrets/seal.ts";
import { type Answer, refusal, send, success } from "./answer/answer.ts";
import type { ApiServices } from "./context.ts";
import { type Count, callHandle, type Result } from "./handle.ts";
import { withinDeadline } from "./limits/deadline.ts";
import { rateLimitHeaders, withUsage } from "./limits/rate-limiting.ts";

const message = textOf(1, 32_000);

type Post = {
  hookId: string;
  requestId: string;
  request: Request;
  response: Response;
  /** The deadline (context.ts). */
  until?: number;
};

export function hookInbox(service: ApiServices, log: Log): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.all("/api/v1/hooks/:id/receive", async (request: Request<{ id: string }>, response) => {
    const post = { hookId: request.params.id, requestId: String(response.locals.requestId), request, response };
    const { requestId } = post;
    const answer = await answerTo(post, service).catch((error: unknown) => {
      const code: RefusalCode = isOutage(error) ? "unavailable" : "internal";
      log.error({ requestId, operation: receiveHook.name, error: faultOf(error) }, code);
      return refusal(code, requestId);
    });
    response.locals.code = answer.code;
    send(response, answer);
    service.requestMinutes.note(answer.organisationId, answer.status);
    log.info({ requestId, operation: receiveHook.name, status: answer.status, code: answer.code });
  });
  return router;
}

async function answerTo(post: Post, service: ApiServices): Promise<Answer> {
  const { request, requestId } = post;
  if (request.method !== "POST") {
    const answer = refusal("not_supported", requestId);
    answer.headers.allow = "POST";
    return answer;
  }
  const signed = readSignature(request.headers);
  if (!signed || !uuid.safeParse(post.hookId).success) return toUnauthenticated("unauthenticated", post, service);
  const began = performance.now();
  const hook = await withinDeadline((until) => findHook({ ...post, until }, service));
  if (!hook) return toUnauthenticated("unauthenticated", post, service);
  const elapsed = performance.now() - began;
  // The signature covers the body as it was sent, so compressed bodies are not decompressed.
  const { bytes: maxBytes } = bodyLimits(receiveHook);
  const body = await readBytes(request, post.response, { arriving: service.arriving, as: "sent", maxBytes });
  if (body === "gone") return refusal("invalid_request", requestId); // the caller has disconnected
  if (!Buffer.isBuffer(body)) {
    const { code, path, message } = unread[body];
    return toUnauthenticated(code, post, service, path, message);
  }
  const signature = verifiedSignature(signed, hook.secret, body);
  if (!signature) return toUnauthenticated("unauthenticated", post, service);

  const proven = { ...hook, signature, body, deliveryId: signed.deliveryId };
  const since = performance.now() - elapsed; // the time in which the body arrived does not count
  const answer = await withinDeadline((until) => counted({ ...post, until }, service, proven), since);
  answer.organisationId = hook.organisationId;
  return answer;
}

/** Counts for the hook's own rate limit. (Requests with a key: rate-limiting.ts) */
async function counted(post: Post, service: ApiServices, proven: Proven): Promise<Answer> {
  const { rateLimiter, rateLimits } = service;
  if (rateLimits === "process") {
    const own = rateLimiter.ofHook(post.hookId.toLowerCase());
    const answer = rateLimiter.consume(own)
      ? answerOf(await receive(post, service, proven), post.requestId)
      : refusal("rate_limited", post.requestId);
    Object.assign(answer.headers, rateLimitHeaders(own, rateLimiter.secondsLeft()));
    return answer;
  }
  const limits = rateLimiter.rateLimitsOf("hook");
  const result = await receive(post, service, proven, { cost: 1, limits: limits.map(({ limit }) => limit) });
  const answer = answerOf(result, post.requestId);
  if (result.counted) {
    const own = withUsage(limits, result.counted);
    if (answer.code === "rate_limited") rateLimiter.noteRefusal(own, 1);
    Object.assign(answer.headers, rateLimitHeaders(own, result.counted.secondsLeft));
  }
  return answer;
}

/** Requests without a proven signature count for the caller's address. */
function toUnauthenticated(code: RefusalCode, post: Post, service: ApiServices, path = "", message = ""): Answer {
  const { rateLimiter, addressOf } = service;
  const isAllowed = rateLimiter.consume([rateLimiter.ofAddress(addressOf(post.request))]);
  return refusal(isAllowed ? code : "rate_limited", post.requestId, path ? [{ path, message }] : undefined);
}

/** The response for each failure to read a body. */
const unread: Record<Exclude<Unread, "gone">, { code: RefusalCode; path?: string; message?: string }> = {
  "too large": { code: "payload_too_large" },
  encoding: { code: "invalid_request", path: "headers.content-encoding", message: "must be left out" },
  unreadable: { code: "invalid_request", path: "body", message: "could not be read" },
};

/** Returns undefined if the hook does not exist. */
async function findHook(
  { hookId, requestId, until }: Post,
  { pools, master }: ApiServices,
): Promise<{ organisationId: string; secret: string } | undefined> {
  const credential = Buffer.from(hookId.replaceAll("-", ""), "hex");
  const result = await callHandle(pools, "point", { credential, operation: openHook, requestId, until, input: {} });
  if (!result.status) return undefined;
  const { organisationId, secretSealed } = JSON.parse(result.body) as Record<"organisationId" | "secretSealed", string>;
  return { organisationId, secret: open(master.sealing, "webhook-secret", Buffer.from(secretSealed, "hex")) };
}

type Proven = {
  organisationId: string;
  secret: string;
  signature: string;
  body: Buffer;
  deliveryId: string | undefined;
};

async function receive(
  { requestId, until }: Post,
  { pools }: ApiServices,
  proven: Proven,
  count?: Count,
): Promise<Result> {
  const text = message.safeParse(decoded(proven.body));
  const signedDigest = hash("sha256", `signed ${proven.signature}`);
  return callHandle(pools, "pooled", {
    credential: digestOf(proven.secret),
    organisationId: proven.organisationId,
    operation: receiveHook,
    requestId,
    until,
    count,
    problem: text.success
      ? undefined
      : { code: "invalid_request", details: [{ path: "body", message: text.error.issues[0]?.message ?? "" }] },
    input: {
      message: text.data,
      signedDigest,
      deliveryDigest: proven.deliveryId === undefined ? signedDigest : hash("sha256", `delivery ${proven.deliveryId}`),
      bodyDigest: hash("sha256", proven.body),
    },
  });
}

function answerOf(result: Result, requestId: string): Answer {
  if (!result.status) {
    if (!isRefusalCode(result.refusal)) throw new Error(`SQL refused with an unknown code: ${result.refusal}`);
    return refusal(result.refusal, requestId, result.details, result.reason);
  }
  const { runId, replayed } = JSON.parse(result.body) as { runId: string | null; replayed: boolean };
  if (!runId) return refusal("conflict", requestId, null, "hook_paused");
  const answer = success(result.status, JSON.stringify({ runId }), requestId);
  if (replayed) answer.headers["idempotent-replayed"] = "true";
  return answer;
}

/** Returns undefined for invalid UTF-8. */
function decoded(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}
