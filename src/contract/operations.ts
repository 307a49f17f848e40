/** The contract: every operation of the API. */
import { answerApproval, readApproval } from "./approval-page.ts";
import { openHook, receiveHook } from "./hook-inbox.ts";
import { acceptInvitation, readInvitation } from "./invitation-page.ts";
import type { Operation } from "./operation.ts";
import { resources } from "./resources.ts";

export const operations: readonly Operation[] = resources.flatMap((resource) => resource.operations);

/** What pages and hooks ask of the database: operations like the others, and not for the keys of the API. */
export const pageOperations: readonly Operation[] = [
  readInvitation,
  acceptInvitation,
  readApproval,
  answerApproval,
  openHook,
  receiveHook,
];
