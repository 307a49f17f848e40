/** The contract: every operation of the API. */
import { answerApproval, readApproval } from "./approval-page.ts";
import { openHook, receiveHook } from "./hook-inbox.ts";
import { acceptInvitation, readInvitation } from "./invitation-page.ts";
import type { Operation } from "./operation.ts";
import { resources } from "./resources.ts";

export const operations: readonly Operation[] = resources.flatMap((resource) => resource.operations);

/** Operations of mailed pages and of posts to hooks. No API key reaches them. */
export const pageOperations: readonly Operation[] = [
  readInvitation,
  acceptInvitation,
  readApproval,
  answerApproval,
  openHook,
  receiveHook,
];
