/**
 * Masks GraphQL errors: refusals keep code and message, unexpected errors get a generic message. The log gets the
 * error and its place, without the text of the request.
 */
import { DatabaseError } from "pg";
import { GraphQLError } from "postgraphile/graphql";
import { type Detail, isRefusalCode } from "../contract/refusals.ts";
import { isOutage } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import { type ConsoleCode, Refusal, statusAndMessage } from "./refusal.ts";

export function maskErrors(log: Log): (error: GraphQLError) => GraphQLError {
  return (error) => {
    const cause = error.originalError;
    if (cause === undefined || cause instanceof GraphQLError) {
      return shown(error, "invalid_request", error.message); // from GraphQL itself: it quotes only the request
    }
    const { code, message, details } = refusalOf(cause);
    if (code === "internal" || code === "unavailable") {
      log.error({ error: faultOf(cause), path: error.path }, code);
    }
    return shown(error, code, message, details);
  };
}

function refusalOf(cause: Error): { code: ConsoleCode; message?: string; details?: Detail[] | undefined } {
  if (cause instanceof Refusal) return { code: cause.code, message: cause.message, details: cause.details };
  if (cause instanceof DatabaseError || "code" in cause) {
    const { code, message, detail, originalCode } = cause as DatabaseError & { originalCode?: string };
    if (code === "OA001" && isRefusalCode(message)) {
      return { code: message, details: detail ? (JSON.parse(detail) as Detail[]) : undefined };
    }
    if ((originalCode ?? code) === "57014") return { code: "too_slow" };
    // A query tried to write. In the API this code means a standby that is not promoted yet.
    if ((originalCode ?? code) === "25006") return { code: "internal" };
    if (code?.startsWith("22")) return { code: "invalid_request" }; // a value out of range for its column
  }
  return { code: isOutage(cause) ? "unavailable" : "internal" };
}

function shown(
  error: GraphQLError,
  code: ConsoleCode,
  message = statusAndMessage(code).message,
  details?: Detail[],
): GraphQLError {
  return new GraphQLError(message, {
    ...(error.path ? { path: error.path } : {}),
    extensions: { code, ...(details ? { details } : {}) },
  });
}
