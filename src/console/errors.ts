/**
 * Errors of GraphQL, as they may be seen: a refusal by its code, in the words that it has everywhere, and nothing of a
 * fault but that there was one. What it was and where is for the log, without the words of the request.
 */
import { DatabaseError } from "pg";
import { GraphQLError } from "postgraphile/graphql";
import { type Detail, isRefusalCode } from "../contract/refusals.ts";
import { isOutage } from "../database/outage.ts";
import { faultOf, type Log } from "../log.ts";
import { type ConsoleCode, Refusal, worded } from "./refusal.ts";

export function maskErrors(log: Log): (error: GraphQLError) => GraphQLError {
  return (error) => {
    const cause = error.originalError;
    if (cause === undefined || cause instanceof GraphQLError) {
      return shown(error, "invalid_request", error.message); // of GraphQL itself: it quotes the request and nothing else
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
    const { code, message, detail, toldCode } = cause as DatabaseError & { toldCode?: string };
    if (code === "OA001" && isRefusalCode(message)) {
      return { code: message, details: detail ? (JSON.parse(detail) as Detail[]) : undefined };
    }
    if ((toldCode ?? code) === "57014") return { code: "too_slow" };
    // Elsewhere that is a server that is not promoted yet. Here queries are read-only by our own wish: one wrote.
    if ((toldCode ?? code) === "25006") return { code: "internal" };
    if (code?.startsWith("22")) return { code: "invalid_request" }; // a value that no column could hold
  }
  return { code: isOutage(cause) ? "unavailable" : "internal" };
}

function shown(
  error: GraphQLError,
  code: ConsoleCode,
  message = worded(code).message,
  details?: Detail[],
): GraphQLError {
  return new GraphQLError(message, {
    ...(error.path ? { path: error.path } : {}),
    extensions: { code, ...(details ? { details } : {}) },
  });
}
