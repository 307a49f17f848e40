/** Which answers are refusals of a credential, for the record of refused credentials. */
import { uuid } from "../../contract/fields.ts";
import { classOf } from "../../secrets/credentials.ts";
import type { Refusal } from "../../web/refused-credentials.ts";
import type { Answer, Request } from "../request.ts";
import { acceptedClass } from "../stages/authenticate.ts";

/** Undefined if the request has no credential, or its credential was accepted. */
export function refusalOf(request: Request, { code, caller }: Answer): Refusal | undefined {
  const isLimited = code === "rate_limited" && caller === undefined;
  if (code !== "unauthenticated" && !isLimited) return undefined;
  const { bearer, address, operation, params } = request;
  if (operation.keyClass === "hook") {
    const hookId = uuid.safeParse(params.id);
    const presented = hookId.success ? { hookId: hookId.data } : { text: "" };
    return { presented, address, isMisplaced: false, isLimited };
  }
  if (bearer === undefined || bearer === "") return undefined;
  const found = classOf(bearer);
  return { presented: { text: bearer }, address, isMisplaced: found !== acceptedClass(request), isLimited };
}
