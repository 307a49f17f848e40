/** What peers are asked: the same rows, by the questions that they answer. How each is set up, bench/contestants tells. */
import type { Target } from "./data.ts";
import type { Figure } from "./figure.ts";

/** The fields of a claim that the contract shows, under its names. */
const list = `{
  allMemories(first: 50, orderBy: PRIMARY_KEY_DESC) {
    nodes {
      id: rowId scope botId kind subject subjectKind value confidence validTo provenance createdAt lawfulBasis
    }
  }
}`;

export function peers(targets: Target[]): Record<"get" | "list" | "members", Figure[]> {
  const byKey = ({ bearer }: Target) => ({ "x-api-key": bearer });
  return {
    get: [
      {
        row: "get",
        id: "get-better-auth",
        label: "GET one, Better Auth (key verified, then one row)",
        contestant: "better-auth",
        requests: targets.map((to) => ({ method: "GET", path: `/memories/${to.memoryId}`, headers: byKey(to) })),
      },
    ],
    list: [
      {
        row: "list",
        id: "list-postgraphile",
        label: "list 50, PostGraphile under our policies",
        contestant: "postgraphile",
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
        contestant: "better-auth",
        requests: targets.map((to) => ({
          method: "GET",
          path: `/by-key/${to.organisationId}/members`,
          headers: byKey(to),
        })),
      },
      {
        row: "members",
        id: "members-better-auth-session",
        label: "members, Better Auth by a session that is not looked up",
        contestant: "better-auth",
        requests: targets.map((to) => ({ method: "GET", path: `/by-session/${to.organisationId}/members` })),
      },
    ],
  };
}
