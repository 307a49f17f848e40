/** A person has one id in all cells: the directory chooses it before a cell creates the person. */
import { readInvitation } from "../../contract/invitation-page.ts";
import type { ApiPools } from "../../database/connections/api-pools.ts";
import type { Directory } from "../../directory/directory.ts";
import type { RequestContext } from "../context.ts";
import { callHandle } from "../handle.ts";

/** @returns the input with the id of the person whom the call may create */
export type IdentifyPerson = (
  context: RequestContext,
  credential: Buffer,
  input: Record<string, unknown>,
) => Promise<Record<string, unknown>>;

export function identifyPeople(directory: Directory, pools: ApiPools): IdentifyPerson {
  return async ({ operation, requestId, address, until }, credential, input) => {
    if (operation.name === "create_organisation") {
      const owner = input.owner as { email: string };
      return { ...input, personId: await directory.personId(owner.email) };
    }
    if (operation.name !== "accept_invitation") return input;
    const call = { credential, operation: readInvitation, requestId, address, until, input: {} };
    const { status, body } = await callHandle(pools, "point", call);
    if (!status) return input; // the call is refused in the same way
    const { email } = JSON.parse(body) as { email: string };
    return { ...input, personId: await directory.personId(email) };
  };
}
