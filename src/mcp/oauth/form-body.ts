/** Reads the form that a program sends to a path below /oauth. Each parameter that is read must be there once. */
import express, { type Request } from "express";
import type { Failure } from "./errors.ts";

const type = "application/x-www-form-urlencoded";

export const readForm = express.text({ type, limit: "16kb", inflate: false, defaultCharset: "utf-8" });

/** The form, or why there is none. */
export function formOf({ body }: Request): URLSearchParams | Failure {
  return typeof body === "string"
    ? new URLSearchParams(body)
    : { status: 400, error: "invalid_request", description: `The body must be a form (${type}).` };
}

/** The values of the parameters in their order, or the failure of the first that is missing, empty or repeated. */
export function valuesOf(form: URLSearchParams, names: readonly string[]): string[] | Failure {
  const wrong = names.find((name) => form.getAll(name).length !== 1 || form.get(name) === "");
  return wrong
    ? { status: 400, error: "invalid_request", description: `${wrong} is required, once.` }
    : names.map((name) => String(form.get(name)));
}
