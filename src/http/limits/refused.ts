/** Which answers are refusals of a credential, for the record of refused credentials. */
import { uuid } from "../../contract/fields.ts";
import { classOf } from "../../secrets/credentials.ts";
import type { Refusal } from "../../web/refused-credentials.ts";
import type { Answer } from "../answer/answer.ts";
import type { RequestHead } from "../context.ts";
import { acceptedClass } from "../perform.ts";

/** Undefined if the request has no credential, or its credential was accepted. */
export function refusalOf(head: RequestHead, { code, caller }: Answer): Refusal | undefined {
  const isLimited = code === "rate_limited" && caller === undefined;
  if (code !== "unauthenticated" && !isLimited) return undefined;
  const { bearer, address, operation, params } = head;
  if (operation.keyClass === "hook") {
    const hookId = uuid.safeParse(params.id);
    const presented = hookId.success ? { hookId: hookId.data } : { text: "" };
    return { presented, address, isMisplaced: false, isLimited };
  }
  if (bearer === undefined || bearer === "") return undefined;
  const found = classOf(bearer);
  return { presented: { text: bearer }, address, isMisplaced: found !== acceptedClass(head), isLimited };
}
