/** One question to /graphql, answered with data or with a failure in words; it never throws. */
import { queries } from "./queries.ts";
import { ownHeader, signInAgain } from "./session.ts";

export type Variables = Record<string, unknown>;

export type Failure = {
  /** away: nobody answered, or not now. refused: the question was heard and not followed. */
  kind: "away" | "refused";
  code: string;
  words: string;
};

export type Reply<Data> = { data: Data; failure?: undefined } | { data?: undefined; failure: Failure };

type Told = { data?: unknown; errors?: { message: string; extensions?: { code?: string; details?: Detail[] } }[] };
type Detail = { path: string; message: string };

/** @param name of a saved query */
export function ask<Data>(name: string, variables: Variables = {}, signal?: AbortSignal): Promise<Reply<Data>> {
  return say<Data>(queries[name] ?? "", variables, signal);
}

/** @param query as GraphQL */
export async function say<Data>(query: string, variables: Variables, signal?: AbortSignal): Promise<Reply<Data>> {
  try {
    const response = await fetch("/graphql", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...(await ownHeader()) },
      body: JSON.stringify({ query, variables }),
      signal: signal ?? null,
    });
    if (response.status === 401) signInAgain();
    if (response.status >= 500) return { failure: away };
    const told = (await response.json()) as Told;
    const [error] = told.errors ?? [];
    if (error) {
      const { code = "", details = [] } = error.extensions ?? {};
      const words = details.map(({ path, message }) => `${path} ${message}`).join("; ") || error.message;
      return { failure: { kind: "refused", code, words } };
    }
    return { data: told.data as Data };
  } catch {
    return { failure: away };
  }
}

const away: Failure = {
  kind: "away",
  code: "away",
  words: "The console's server can't be reached, or can't answer right now.",
};
