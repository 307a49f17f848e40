/** The contract: every operation of the API. */
import { answerApproval, readApproval } from "./approval-page.ts";
import { acceptInvitation, readInvitation } from "./invitation-page.ts";
import type { Operation } from "./operation.ts";
import { resources } from "./resources.ts";

export const operations: readonly Operation[] = resources.flatMap((resource) => resource.operations);

/** What pages ask of the database: operations like the others, and not of the API. */
export const pageOperations: readonly Operation[] = [readInvitation, acceptInvitation, readApproval, answerApproval];
