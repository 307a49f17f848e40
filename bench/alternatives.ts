/** Requests to Better Auth and PostGraphile for the same rows. bench/systems contains their setup. */
import type { Target } from "./data.ts";
import type { Figure } from "./figure.ts";

/** The fields of a memory in the contract, under the same names. */
const list = `{
  allMemories(first: 50, orderBy: PRIMARY_KEY_DESC) {
    nodes {
      id: rowId scope botId kind subject subjectKind value confidence validTo provenance createdAt lawfulBasis
    }
  }
}`;

export function alternatives(targets: Target[]): Record<"get" | "list" | "members", Figure[]> {
  const byKey = ({ bearer }: Target) => ({ "x-api-key": bearer });
  return {
    get: [
      {
        row: "get",
        id: "get-better-auth",
        label: "GET one, Better Auth (key verified, then one row)",
        system: "better-auth",
        requests: targets.map((to) => ({ method: "GET", path: `/memories/${to.memoryId}`, headers: byKey(to) })),
      },
    ],
    list: [
      {
        row: "list",
        id: "list-postgraphile",
        label: "list 50, PostGraphile under our policies",
        system: "postgraphile",
        requests: targets.map((to) => ({
          method: "POST",
          path: "/graphql",
          headers: {
            "content-type": "application/json",
            "x-organisation": to.organisationId,
            "x-person": to.personId,
          },
          body: JSON.stringify({ query: list }),
        })),
      },
    ],
    members: [
      {
        row: "members",
        id: "members-better-auth",
        label: "members, Better Auth by a key",
        system: "better-auth",
        requests: targets.map((to) => ({
          method: "GET",
          path: `/by-key/${to.organisationId}/members`,
          headers: byKey(to),
        })),
      },
      {
        row: "members",
        id: "members-better-auth-session",
        label: "members, Better Auth by a cached session",
        system: "better-auth",
        requests: targets.map((to) => ({ method: "GET", path: `/by-session/${to.organisationId}/members` })),
      },
    ],
  };
}
