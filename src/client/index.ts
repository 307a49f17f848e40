/** The exports of `botstead/client`. (docs/client.md) */
export { type Client, createClient, type Settings } from "./client.ts";
export {
  type DeliveryHeaders,
  DeliveryRejected,
  type PublicKey,
  type PublishedKeys,
  type RejectedBecause,
  verifyDelivery,
} from "./delivery.ts";
export { BotsteadError, type ErrorCode, type ErrorDetail } from "./error.ts";
export type { Following, LiveEvent } from "./follow.ts";
export type { components, operations, paths } from "./generated/schema.ts";
export type { Answer } from "./request.ts";
export type {
  AnswerOf,
  DeliveryEvent,
  EventOf,
  ListPath,
  PathOf,
  RefusalCode,
  RowOf,
  StreamPath,
} from "./types.ts";
export { deliveryVerifier, type VerifierSettings } from "./verifier.ts";
