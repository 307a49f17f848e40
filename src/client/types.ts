/**
 * What a call takes and what it answers, read off the generated schema. Nothing here names an operation or a component:
 * whatever the document describes can be called.
 */
import type { operations, paths, webhooks } from "./schema.ts";

export type Method = "get" | "post" | "patch" | "delete";

/** The operation at a path, or never when the path has not this method. */
type At<P extends keyof paths, M extends Method> = Exclude<paths[P][M], undefined>;

type Json<Part> = Part extends { content: { "application/json": infer Value } } ? Value : never;

type Succeeded = 200 | 201 | 202;

/** One event of what a path streams. */
export type EventOf<P extends keyof paths> =
  At<P, "get"> extends { responses: { 200: { content: { "text/event-stream": infer Event } } } } ? Event : never;

/** The paths that answer a stream of events. */
export type StreamPath = { [P in keyof paths]: [EventOf<P>] extends [never] ? never : P }[keyof paths];

/** The paths that have the method and answer JSON. */
export type PathOf<M extends Method> = Exclude<
  { [P in keyof paths]: [At<P, M>] extends [never] ? never : P }[keyof paths],
  M extends "get" ? StreamPath : never
>;

/** The body of a success. */
export type AnswerOf<P extends keyof paths, M extends Method> =
  At<P, M> extends { responses: infer Responses } ? Json<Responses[keyof Responses & Succeeded]> : never;

type BodyOf<P extends keyof paths, M extends Method> =
  At<P, M> extends { requestBody?: infer Body } ? Json<NonNullable<Body>> : never;

type PathParameters<P extends keyof paths, M extends Method> =
  At<P, M> extends { parameters: { path: infer Parameters } } ? Parameters : never;

type Query<P extends keyof paths, M extends Method> =
  At<P, M> extends { parameters: { query?: infer Parameters } } ? NonNullable<Parameters> : never;

/** In an address all is text, so a number will do where text is asked for, and undefined is as good as left out. */
type Loosely<Parameters> = {
  [Name in keyof Parameters]?: Parameters[Name] | (string extends Parameters[Name] ? number : never) | undefined;
};

/** How one call is sent, whatever it calls. */
export type Sending = {
  /** Ends the call, tries that were still to come included. */
  signal?: AbortSignal | undefined;
  /** For each try; the client's own unless given. */
  timeoutMs?: number | undefined;
  /** How many tries may follow the first; the client's own unless given. 0 sends once. */
  maxRetries?: number | undefined;
};

type WithKey<M extends Method> = M extends "post"
  ? {
      /**
       * 1 to 255 printable ASCII characters. One is made for each call unless it is given. Give your own, kept with
       * what you are doing, when the call has to happen once even if your program is killed and started again.
       */
      idempotencyKey?: string | undefined;
    }
  : unknown;

export type Given<P extends keyof paths, M extends Method> = Sending &
  WithKey<M> &
  ([PathParameters<P, M>] extends [never] ? unknown : { path: PathParameters<P, M> }) &
  ([Query<P, M>] extends [never] ? unknown : { query?: Loosely<Query<P, M>> }) &
  ([BodyOf<P, M>] extends [never]
    ? unknown
    : Record<never, never> extends BodyOf<P, M>
      ? { body?: BodyOf<P, M> }
      : { body: BodyOf<P, M> });

/** The options of a call, which may be left out when nothing in them has to be given. */
export type Options<P extends keyof paths, M extends Method> =
  Record<never, never> extends Given<P, M> ? [options?: Given<P, M>] : [options: Given<P, M>];

export type Watching<P extends StreamPath> = Sending & {
  path: PathParameters<P, "get">;
  /** The id of the event behind which to begin, as one that was read before; from the first unless given. */
  after?: number | undefined;
};

/** The paths that answer a page of rows, the last page with no cursor. */
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

/** The codes that this version of the document knows. */
export type RefusalCode = CodeOf<RefusalsOf<operations[keyof operations]>>;

type Posted<Webhook> = Webhook extends { post: { requestBody?: infer Body } } ? Json<NonNullable<Body>> : never;

/** What is posted to endpoints: `event` tells the kinds apart. Later versions may bring further kinds. */
export type DeliveryEvent = Posted<webhooks[keyof webhooks]>;
