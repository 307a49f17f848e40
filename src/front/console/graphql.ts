/** Requests to /graphql. They return data or a failure, and never throw. */
import { refusalText } from "../parts/texts/refusals.ts";
import { queries } from "./queries.ts";
import { csrfHeader, signInAgain } from "./session.ts";

export type Variables = Record<string, unknown>;

export type Failure = {
  /** unavailable: no response, or status 5xx. refused: the response has an error. */
  kind: "unavailable" | "refused";
  code: string;
  message: string;
  /** By path of the input, with the API's messages. */
  details?: Detail[];
};

export type Reply<Data> = { data: Data; failure?: undefined } | { data?: undefined; failure: Failure };

type GraphQlResponse = {
  data?: unknown;
  errors?: { message: string; extensions?: { code?: string; details?: Detail[] } }[];
};
type Detail = { path: string; message: string };

/** @param name of a saved query */
export function runSavedQuery<Data>(
  name: string,
  variables: Variables = {},
  signal?: AbortSignal,
): Promise<Reply<Data>> {
  return run<Data>(queries[name] ?? "", variables, signal);
}

/** @param query GraphQL text */
export async function run<Data>(query: string, variables: Variables, signal?: AbortSignal): Promise<Reply<Data>> {
  try {
    const response = await fetch("/graphql", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...(await csrfHeader()) },
      body: JSON.stringify({ query, variables }),
      signal: signal ?? null,
    });
    if (response.status === 401) signInAgain();
    if (response.status >= 500) return { failure: unavailable };
    const result = (await response.json()) as GraphQlResponse;
    const [error] = result.errors ?? [];
    if (error) {
      const { code = "", details = [] } = error.extensions ?? {};
      const named = details.map(({ path, message }) => `${path} ${message}`).join("; ");
      // GraphQL's own message says what is wrong with the request.
      const text = named || (code !== "invalid_request" && refusalText(code, null)) || error.message;
      return { failure: { kind: "refused", code, message: text, details } };
    }
    return { data: result.data as Data };
  } catch {
    return { failure: unavailable };
  }
}

const unavailable: Failure = {
  kind: "unavailable",
  code: "no_response",
  message: "The console's server is unreachable or overloaded.",
};
