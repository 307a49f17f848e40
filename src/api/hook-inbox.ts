/**
 * Posts to hooks: an operation whose credential is a signature over the body as it was sent. An unknown hook, a wrong
 * signature and an old timestamp get the same answer. An unknown hook is answered faster; hook ids are not secret.
 * (sql/api/hook_inbox.sql; docs/decisions/0020-routines-and-hooks.md)
 */
import { hash } from "node:crypto";
import type { Request as HttpRequest, Response } from "express";
import { text as textOf, uuid } from "../contract/fields.ts";
import { openHook } from "../contract/hook-inbox.ts";
import type { Problem } from "../contract/refusals.ts";
import type { ApiPools } from "../database/connections/api-pools.ts";
import { readSignature, verifiedSignature } from "../delivery/inbound.ts";
import { digestOf } from "../secrets/credentials.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { openWith } from "../secrets/seal.ts";
import type { Backlog } from "../web/backlog.ts";
import { type Body, bodyOf, bodyWith, invalid } from "./body.ts";
import type { Answer, Perform, Request } from "./request.ts";
import { withinDeadline } from "./request.ts";
import type { Identities } from "./stages/authenticate.ts";
import { callHandle } from "./stages/call.ts";
import { readBytes } from "./stages/read.ts";
import { refusal } from "./stages/respond.ts";

type Parts = { perform: Perform; pools: ApiPools; master: MasterKey; identities: Identities; arriving: Backlog };

type Bytes = ReturnType<typeof readBytes>;

/** A body arrives once, but several cells may be asked (cells/routed.ts). */
const received = new WeakMap<HttpRequest, Bytes>();

function bytesOf(http: HttpRequest, read: () => Bytes): Bytes {
  const bytes = received.get(http) ?? read();
  received.set(http, bytes);
  return bytes;
}

/** The id of a hook as 16 bytes, which find its row before its signature is verified. */
export const addressOfHook = (hookId: string): Buffer => Buffer.from(hookId.replaceAll("-", ""), "hex");

/** @throws Error of the database or of its connection */
export type Receive = (request: Request, http: HttpRequest, response: Response) => Promise<Answer>;

const message = textOf(1, 32_000);

export function makeReceive({ perform, pools, master, identities, arriving }: Parts): Receive {
  return async (request, http, response) =>
    answerOf(await perform(request, (performed) => bySignature(performed, http, response)), request);

  async function bySignature(request: Request, http: HttpRequest, response: Response): Promise<Problem | undefined> {
    const unauthenticated: Problem = { code: "unauthenticated" };
    if (request.problem) return request.problem;
    const hookId = request.params.id ?? "";
    const signed = readSignature(http.headers);
    if (!signed || !uuid.safeParse(hookId).success) return unauthenticated;
    const hook = await withinDeadline(request, (until) => findHook(hookId, request, until));
    if (!hook) return unauthenticated;
    const { secret } = hook;
    if (secret === undefined) return { code: "unavailable", reason: "lost_secret" }; // the sender tries again later
    const began = performance.now();
    // The signature covers the body as it was sent, so compressed bodies are not decompressed.
    const bytes = await bytesOf(http, () => readBytes(http, response, { arriving, as: "sent" }));
    if (!bytes) return { code: "invalid_request" }; // the caller has disconnected
    if (!Buffer.isBuffer(bytes)) return bytes;
    const signature = verifiedSignature(signed, secret, bytes);
    if (!signature) return unauthenticated;
    const credential = digestOf(secret);
    identities.store(credential, request.address, { keyId: hookId.toLowerCase(), organisationId: hook.organisationId });
    const body = bodyOfPost(bytes, signature, signed.deliveryId);
    const since = request.since + performance.now() - began;
    Object.assign(request, { credential, body, readBody: undefined, since });
    return undefined;
  }

  /** Returns undefined if the hook does not exist. */
  async function findHook(hookId: string, { requestId, address }: Request, until: number) {
    const credential = addressOfHook(hookId);
    const result = await callHandle(pools, "point", {
      credential,
      address,
      operation: openHook,
      requestId,
      until,
      input: {},
    });
    if (!result.status) return undefined;
    const hook = JSON.parse(result.body) as Record<"organisationId" | "secretSealed", string>;
    const secret = openWith([master.sealing], "webhook-secret", Buffer.from(hook.secretSealed, "hex"));
    return { organisationId: hook.organisationId, secret };
  }
}

function bodyOfPost(bytes: Buffer, signature: string, deliveryId: string | undefined): Body {
  const text = message.safeParse(decoded(bytes));
  if (!text.success) return bodyWith(invalid("body", text.error.issues[0]?.message ?? ""), bytes);
  const signedDigest = hash("sha256", `signed ${signature}`);
  return bodyOf({
    message: text.data,
    signedDigest,
    deliveryDigest: deliveryId === undefined ? signedDigest : hash("sha256", `delivery ${deliveryId}`),
    bodyDigest: hash("sha256", bytes),
  });
}

/** Without a run the call paused the hook. */
function answerOf(answer: Answer, { requestId }: Request): Answer {
  if (answer.code) return answer;
  const { runId, replayed } = JSON.parse(answer.body) as { runId: string | null; replayed: boolean };
  if (!runId) {
    const paused = refusal("conflict", requestId, null, "hook_paused");
    return { ...answer, ...paused, headers: { ...answer.headers, ...paused.headers } };
  }
  if (replayed) answer.headers["idempotent-replayed"] = "true";
  return { ...answer, body: JSON.stringify({ runId }) };
}

/** Returns undefined for invalid UTF-8. */
function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
