/** A person has one id in all cells: the directory chooses it before a cell creates the person. */

import { callHandle, type IdentifyPerson } from "../api/stages/call.ts";
import { readInvitation } from "../contract/invitation-page.ts";
import type { ApiPools } from "../database/connections/api-pools.ts";
import type { Directory } from "./directory/directory.ts";

export function identifyPeople(directory: Directory, pools: ApiPools): IdentifyPerson {
  return {
    async create_organisation(input) {
      const { email } = input.owner as { email: string };
      return { ...input, personId: await directory.personId(email) };
    },
    async accept_invitation(input, { credential, requestId, address }, until) {
      const call = { credential, operation: readInvitation, requestId, address, until, input: {} };
      const { status, body } = await callHandle(pools, "point", call);
      if (!status) return input; // the call is refused in the same way
      const { email } = JSON.parse(body) as { email: string };
      return { ...input, personId: await directory.personId(email) };
    },
  };
}
