/** The credential of a request: a bearer token, or the session of an extension's cookie. Hooks have signatures instead: hook-inbox.ts. */
import type { IncomingMessage } from "node:http";
import type { Operation } from "../../contract/operation.ts";
import { bearerOf, type CredentialClass, classOf, digestOf } from "../../secrets/credentials.ts";
import type { Authenticate, Request } from "../request.ts";

const classes: Partial<Record<Operation["keyClass"], CredentialClass>> = {
  organisation: "bsk",
  platform: "bsp",
  portal_link: "bsl",
  authorization_code: "bsc",
  invitation: "bsi",
  approval: "bsa",
};

/** The class of the credentials that the operation accepts. */
export const acceptedClass = ({ portalSession, operation }: Pick<Request, "portalSession" | "operation">) =>
  portalSession ? sessionClass(operation) : classes[operation.keyClass];

/** A session of the portal is accepted as a cookie only. */
const sessionClass = ({ keyClass }: Operation) =>
  keyClass === "organisation" || keyClass === "portal_session" ? "bsx" : undefined;

/** Whether the credential is live, the database decides. */
export const authenticate: Authenticate = (request) => {
  const { bearer, digest, forged } = request;
  if (!bearer || classOf(bearer) !== acceptedClass(request)) return { code: "unauthenticated" };
  request.credential = digest ?? digestOf(bearer);
  if (forged) request.problem = { code: "forbidden", reason: "csrf_token_missing" };
  return undefined;
};

type Presented = Pick<Request, "bearer" | "portalSession" | "forged">;

/** What a request without a bearer token presents instead. */
export type Present = (request: IncomingMessage) => Presented | undefined;

export function presentedBy(request: IncomingMessage, present: Present | undefined): Presented {
  const bearer = bearerOf(request);
  return (bearer === undefined ? present?.(request) : undefined) ?? { bearer };
}
