/**
 * Parameters and results of calls, derived from the generated schema. No operation or component is named here, so every
 * documented operation can be called.
 */
import type { operations, paths, webhooks } from "./generated/schema.ts";

export type Method = "get" | "post" | "patch" | "delete";

/** The operation of a path, or never if the path does not have this method. */
type At<P extends keyof paths, M extends Method> = Exclude<paths[P][M], undefined>;

type Json<Part> = Part extends { content: { "application/json": infer Value } } ? Value : never;

type Succeeded = 200 | 201 | 202;

/** One event of a path's stream. */
export type EventOf<P extends keyof paths> =
  At<P, "get"> extends { responses: { 200: { content: { "text/event-stream": infer Event } } } } ? Event : never;

/** Paths that respond with a stream of events. */
export type StreamPath = { [P in keyof paths]: [EventOf<P>] extends [never] ? never : P }[keyof paths];

/** Paths that have the method and respond with JSON. */
export type PathOf<M extends Method> = Exclude<
  { [P in keyof paths]: [At<P, M>] extends [never] ? never : P }[keyof paths],
  M extends "get" ? StreamPath : never
>;

/** Body of a successful response. */
export type AnswerOf<P extends keyof paths, M extends Method> =
  At<P, M> extends { responses: infer Responses } ? Json<Responses[keyof Responses & Succeeded]> : never;

type BodyOf<P extends keyof paths, M extends Method> =
  At<P, M> extends { requestBody?: infer Body } ? Json<NonNullable<Body>> : never;

type PathParameters<P extends keyof paths, M extends Method> =
  At<P, M> extends { parameters: { path: infer Parameters } } ? Parameters : never;

type Query<P extends keyof paths, M extends Method> =
  At<P, M> extends { parameters: { query?: infer Parameters } } ? NonNullable<Parameters> : never;

/** URLs contain only text, so a number is accepted for a string, and undefined omits the parameter. */
type Loosely<Parameters> = {
  [Name in keyof Parameters]?: Parameters[Name] | (string extends Parameters[Name] ? number : never) | undefined;
};

/** Options of every call. */
export type Sending = {
  /** Aborts the call and its retries. */
  signal?: AbortSignal | undefined;
  /** Time-out of each attempt, in milliseconds. Defaults to the client's. */
  timeoutMs?: number | undefined;
  /** Maximum number of retries after the first attempt. Defaults to the client's. 0 disables retries. */
  maxRetries?: number | undefined;
};

type WithKey<M extends Method> = M extends "post"
  ? {
      /**
       * 1 to 255 printable ASCII characters. Generated for each call by default. Pass your own stored value if the call
       * must take effect once even when your program restarts.
       */
      idempotencyKey?: string | undefined;
    }
  : unknown;

type WithCondition<M extends Method> = M extends "patch"
  ? {
      /**
       * The `etag` of an answer. If the resource has changed since, nothing is changed, and the error is `conflict` with the
       * reason `revision_changed`.
       */
      ifMatch?: string | undefined;
    }
  : unknown;

export type Given<P extends keyof paths, M extends Method> = Sending &
  WithKey<M> &
  WithCondition<M> &
  ([PathParameters<P, M>] extends [never] ? unknown : { path: PathParameters<P, M> }) &
  ([Query<P, M>] extends [never] ? unknown : { query?: Loosely<Query<P, M>> }) &
  ([BodyOf<P, M>] extends [never]
    ? unknown
    : Record<never, never> extends BodyOf<P, M>
      ? { body?: BodyOf<P, M> }
      : { body: BodyOf<P, M> });

/** Options of a call; optional if none is required. */
export type Options<P extends keyof paths, M extends Method> =
  Record<never, never> extends Given<P, M> ? [options?: Given<P, M>] : [options: Given<P, M>];

export type Watching<P extends StreamPath> = Sending & {
  path: PathParameters<P, "get">;
  /** Id of the event to continue after. Defaults to the first event. */
  after?: number | undefined;
} & ([Query<P, "get">] extends [never] ? unknown : { query?: Loosely<Query<P, "get">> });

/** The events of a stream. Events without an id, such as deltas, come only if `include` asks for them. */
export type WatchedOf<P extends StreamPath, Given> = Given extends { query: { include: string } }
  ? EventOf<P>
  : Extract<EventOf<P>, { id: unknown }>;

/** Paths that respond with a page of rows. */
export type ListPath = {
  [P in PathOf<"get">]: AnswerOf<P, "get"> extends { data: unknown[]; nextCursor: infer Cursor }
    ? null extends Cursor
      ? P
      : never
    : never;
}[PathOf<"get">];

export type RowOf<P extends ListPath> = AnswerOf<P, "get"> extends { data: (infer Row)[] } ? Row : never;

type RefusalsOf<Operation> = Operation extends { responses: infer Responses }
  ? Json<Responses[Exclude<keyof Responses, Succeeded>]>
  : never;

type CodeOf<Refusal> = Refusal extends { error: { code: infer Code } } ? Code : never;

/** The codes of this version of the document. */
export type RefusalCode = CodeOf<RefusalsOf<operations[keyof operations]>>;

type Posted<Webhook> = Webhook extends { post: { requestBody?: infer Body } } ? Json<NonNullable<Body>> : never;

/** A webhook event, discriminated by `event`. Later versions may add kinds. */
export type DeliveryEvent = Posted<webhooks[keyof webhooks]>;
