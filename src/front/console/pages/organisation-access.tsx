/** The lists of an organisation's members, invitations and keys. */
import { mintKey, resendInvitation, revokeKey } from "../actions/things.tsx";
import { badge } from "../parts/badge.tsx";
import { actionsColumn, person, state, text, value, when } from "../parts/columns.tsx";
import { invitationFilters, keyFilters, roleFilter } from "../parts/list-options.ts";
import { linkTo, tabLink } from "../parts/rows.tsx";
import { When } from "../times.tsx";
import type { OrganisationListOf } from "./organisation-list.tsx";

/** By name of the tab. */
export const access = {
  members: {
    title: "Members",
    query: "organisation-members",
    filters: [roleFilter],
    contains: "Address or name",
    field: "members",
    none: "No members. A member works with the bots of the organisation. An owner or admin invites people.",
    start: tabLink("invitations", "Show the invitations"),
    columns: [
      {
        key: "person",
        title: "Person",
        long: true,
        sortBy: ({ email }) => email,
        order: "EMAIL",
        render: ({ personId, email }) => linkTo("people", personId, email),
      },
      text("Name", "displayName"),
      text("Role", "role"),
      when("Since", "createdAt"),
      actionsColumn(
        ({ role }) => (role === "member" ? [] : [mintKey]),
        ({ personId }) => ({ person: personId }),
        ({ email, role }) => [
          ["The key acts as", email],
          ["Role", role],
        ],
      ),
    ],
  },
  keys: {
    title: "Keys",
    query: "organisation-keys",
    filters: keyFilters,
    contains: "Name or prefix",
    field: "keys",
    none: "No keys. A program calls the API with a key. Mint one for an owner or admin.",
    start: tabLink("members", "Choose a member"),
    columns: [
      text("Name", "name"),
      value("Prefix", "prefix", (prefix) => <code>{prefix}</code>),
      text("Scope", "scope"),
      state(),
      person("Acts as", "creator"),
      when("Last used", "lastUsedAt", "never"),
      when("Expires", "expiresAt"),
      actionsColumn(
        (row) => (row.state === "live" ? [revokeKey] : []),
        ({ id }) => ({ key: id }),
        ({ name, prefix, scope, lastUsedAt }) => [
          ["Key", name],
          ["Prefix", <code>{prefix}</code>],
          ["Scope", scope],
          ["Last used", <When at={lastUsedAt} none="never" />],
        ],
      ),
    ],
  },
  invitations: {
    title: "Invitations",
    query: "organisation-invitations",
    filters: invitationFilters,
    contains: "Address",
    field: "invitations",
    none: "No invitations. A person becomes a member by accepting an invitation of an owner or admin.",
    start: tabLink("members", "Show the members"),
    columns: [
      text("To", "email"),
      text("Role", "role"),
      state(),
      person("Invited by", "inviter"),
      when("Created", "createdAt"),
      when("Expires", "expiresAt"),
      actionsColumn(
        (row) => (["open", "expired"].includes(row.state) ? [resendInvitation] : []),
        ({ id }) => ({ invitation: id }),
        ({ email, role, state: present, expiresAt }) => [
          ["To", email],
          ["Role", role],
          ["State", badge(present)],
          ["Expires", <When at={expiresAt} />],
        ],
      ),
    ],
  },
} satisfies Record<string, OrganisationListOf>;
