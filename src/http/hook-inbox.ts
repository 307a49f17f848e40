/**
 * What other systems post to hooks. A signature in the place of a key: an unknown hook, a wrong signature and an old one
 * are answered alike, and counted by address. An unknown one costs less, which is no secret to whoever was given the
 * address. (sql/api/hook_inbox.sql; docs/decisions.md, "Routines and hooks".)
 */
import { hash, randomBytes } from "node:crypto";
import { type Request, type Response, Router } from "express";
import { text as textOf, uuid } from "../contract/fields.ts";
import { openHook, receiveHook } from "../contract/hook-inbox.ts";
import { isRefusalCode, type RefusalCode } from "../contract/refusals.ts";
import { isOutage } from "../database/outage.ts";
import { type Claim, provenSignature, readClaim } from "../delivery/inbound.ts";
import { faultOf, type Log } from "../log.ts";
import { digestOf } from "../secrets/credentials.ts";
import { open } from "../secrets/seal.ts";
import { type Answer, refusal, send, success } from "./answer.ts";
import { readBytes, type Unread } from "./body.ts";
import { filled, rateLimitHeaders } from "./counting.ts";
import { withinDeadline } from "./deadline.ts";
import { type Count, callHandle, type Handled } from "./handle.ts";
import type { Service } from "./service.ts";

/** What is signed for a hook that is not there is held against this. */
const nobodysSecret = `whsec_${randomBytes(32).toString("base64")}`;
const message = textOf(1, 32_000);

type Post = {
  hookId: string;
  requestId: string;
  request: Request;
  response: Response;
  /** As of any request (service.ts). */
  until?: number;
};

export function hookInbox(service: Service, log: Log): Router {
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

async function answerTo(post: Post, service: Service): Promise<Answer> {
  const { request, requestId } = post;
  if (request.method !== "POST") {
    const answer = refusal("not_supported", requestId);
    answer.headers.allow = "POST";
    return answer;
  }
  const claim = readClaim(request.headers);
  if (!claim || !uuid.safeParse(post.hookId).success) return toStranger("unauthenticated", post, service);
  // As it was sent: what somebody has unpacked has another signature.
  const body = await readBytes(request, post.response, service.arriving, "sent");
  if (body === "gone") return refusal("invalid_request", requestId); // nobody reads it
  if (!Buffer.isBuffer(body)) {
    const { code, path, message } = unread[body];
    return toStranger(code, post, service, path, message);
  }

  return withinDeadline((until) => answerToBody({ ...post, until }, service, claim, body));
}

async function answerToBody(post: Post, service: Service, claim: Claim, body: Buffer): Promise<Answer> {
  const hook = await opened(post, service);
  const signature = provenSignature(claim, hook?.secret ?? nobodysSecret, body);
  if (!hook || !signature) return toStranger("unauthenticated", post, service);

  const proven = { ...hook, signature, body, deliveryId: claim.deliveryId };
  const answer = await counted(post, service, proven);
  answer.organisationId = hook.organisationId;
  return answer;
}

/** In the hook's own bucket, or its allowance that all processes share. (counting.ts, for what comes with a key.) */
async function counted(post: Post, service: Service, proven: Proven): Promise<Answer> {
  const { buckets, rateLimits } = service;
  if (rateLimits === "process") {
    const own = buckets.ofHook(post.hookId.toLowerCase());
    const answer = buckets.spend(own)
      ? worded(await receive(post, service, proven), post.requestId)
      : refusal("rate_limited", post.requestId);
    Object.assign(answer.headers, rateLimitHeaders(own, buckets.secondsLeft()));
    return answer;
  }
  const allowances = buckets.allowancesOf("hook");
  const handled = await receive(post, service, proven, { cost: 1, limits: allowances.map(({ limit }) => limit) });
  const answer = worded(handled, post.requestId);
  if (handled.counted) {
    const own = filled(allowances, handled.counted);
    if (answer.code === "rate_limited") buckets.noteRefusal(own, 1);
    Object.assign(answer.headers, rateLimitHeaders(own, handled.counted.secondsLeft));
  }
  return answer;
}

/** Whoever has not proved anything yet is counted by their address. */
function toStranger(code: RefusalCode, post: Post, service: Service, path = "", message = ""): Answer {
  const room = service.buckets.spend([service.buckets.ofAddress(service.addressOf(post.request))]);
  return refusal(room ? code : "rate_limited", post.requestId, path ? [{ path, message }] : undefined);
}

/** What each failure to read a body is answered with. */
const unread: Record<Exclude<Unread, "gone">, { code: RefusalCode; path?: string; message?: string }> = {
  "too large": { code: "payload_too_large" },
  encoding: { code: "invalid_request", path: "headers.content-encoding", message: "must be left out" },
  unreadable: { code: "invalid_request", path: "body", message: "could not be read" },
};

/** Undefined when there is no such hook. */
async function opened(
  { hookId, requestId, until }: Post,
  { lanes, master }: Service,
): Promise<{ organisationId: string; secret: string } | undefined> {
  const credential = Buffer.from(hookId.replaceAll("-", ""), "hex");
  const handled = await callHandle(lanes, "point", { credential, operation: openHook, requestId, until, input: {} });
  if (!handled.status) return undefined;
  const { organisationId, secretSealed } = JSON.parse(handled.body) as Record<
    "organisationId" | "secretSealed",
    string
  >;
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
  { lanes }: Service,
  proven: Proven,
  count?: Count,
): Promise<Handled> {
  const said = message.safeParse(decoded(proven.body));
  const signed = hash("sha256", `signed ${proven.signature}`);
  return callHandle(lanes, "pooled", {
    credential: digestOf(proven.secret),
    organisationId: proven.organisationId,
    operation: receiveHook,
    requestId,
    until,
    count,
    problem: said.success
      ? undefined
      : { code: "invalid_request", details: [{ path: "body", message: said.error.issues[0]?.message ?? "" }] },
    input: {
      message: said.data,
      signedDigest: signed,
      deliveryDigest: proven.deliveryId === undefined ? signed : hash("sha256", `delivery ${proven.deliveryId}`),
      bodyDigest: hash("sha256", proven.body),
    },
  });
}

function worded(handled: Handled, requestId: string): Answer {
  if (!handled.status) {
    if (!isRefusalCode(handled.refusal)) throw new Error(`SQL refused with an unknown code: ${handled.refusal}`);
    return refusal(handled.refusal, requestId, handled.details);
  }
  const { runId, replayed } = JSON.parse(handled.body) as { runId: string | null; replayed: boolean };
  if (!runId) return refusal("conflict", requestId);
  const answer = success(handled.status, JSON.stringify({ runId }), requestId);
  if (replayed) answer.headers["idempotent-replayed"] = "true";
  return answer;
}

/** Undefined for what is no UTF-8. */
function decoded(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}
