/** The contract: every operation of the API. */
import { answerApproval, readApproval } from "./approval-page.ts";
import { createAuthorizationCode, exchangeAuthorizationCode, revokeOwnKey } from "./authorization-codes.ts";
import { openHook, receiveHook } from "./hook-inbox.ts";
import { acceptInvitation, readInvitation } from "./invitation-page.ts";
import type { Operation } from "./operation.ts";
import { endOwnPortalSession, openPortal, readOwnPortalSession } from "./portal-page.ts";
import type { PortalSection } from "./portal-sections.ts";
import { resources } from "./resources.ts";

export const operations: readonly Operation[] = resources.flatMap((resource) => resource.operations);

/** The section of the portal that each operation is in. */
export const sections: ReadonlyMap<string, PortalSection> = new Map(
  resources.flatMap(({ section, operations }) =>
    section ? operations.map(({ name }) => [name, section] as const) : [],
  ),
);

/** Operations that a portal session performs on itself. */
export const portalOperations: readonly Operation[] = [readOwnPortalSession, endOwnPortalSession];

/** Operations of mailed pages, of the portal, of MCP clients and of posts to hooks. None is below /api/v1. */
export const pageOperations: readonly Operation[] = [
  openPortal,
  ...portalOperations,
  createAuthorizationCode,
  exchangeAuthorizationCode,
  revokeOwnKey,
  readInvitation,
  acceptInvitation,
  readApproval,
  answerApproval,
  openHook,
  receiveHook,
];
