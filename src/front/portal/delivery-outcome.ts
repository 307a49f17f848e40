/** The outcome of an attempt or of the last one, in words. */
import type { Schemas } from "./schemas.ts";
import { deliveryTexts as texts } from "./texts/endpoints.ts";

export function outcomeText(statusCode: number | null, failure: Schemas["DeliveryFailure"] | null): string {
  if (failure) return texts.failures[failure];
  return statusCode === null ? texts.noOutcome : texts.status(statusCode);
}
