/**
 * What must hold of every row that a role can read or write. The conditions read the settings of the caller themselves and call no
 * function of the database, so that a changed function does not change the statement.
 */
import type { Command, Table } from "./catalogue.ts";
import { exceptions, type StatementName } from "./exceptions.ts";
import { organisation, privatePerson, scope } from "./settings.ts";

export type Statement = {
  name: StatementName;
  /** A condition on the row, in SQL. Undefined: an exception says that there is none. */
  condition?: string;
  /** Why it is weaker for this role and table. */
  exception?: string;
};

export const titles: Record<StatementName, string> = {
  organisation: "no row of another organisation",
  private: "private rows only for their person",
  scope: "a credential of scope read writes nothing",
};

/** Tables whose rows belong to an organisation by more than a column organisation_id. */
const organisations: Record<string, string> = {
  "app.organisations": `id = ${organisation}`,
  "app.people": `exists (
    select from app.memberships member where member.organisation_id = ${organisation} and member.person_id = people.id
  )`,
};

export function organisationCondition({ name, columns }: Table): string | undefined {
  if (organisations[name]) return organisations[name];
  return columns.some((column) => column.name === "organisation_id") ? `organisation_id = ${organisation}` : undefined;
}

/** Rows that only one person reads; of memories, also that only this person writes them. */
const privateRows: Record<string, string> = {
  "app.bots": `visibility = 'team' or owner_id = ${privatePerson}`,
  "app.conversations": `person_id = ${privatePerson}`,
  "app.approvals": `person_id = ${privatePerson}`,
  "app.messages": `exists (
    select from app.conversations conversation
    where conversation.id = messages.conversation_id and conversation.person_id = ${privatePerson}
  )`,
};

function privateCondition({ name, columns }: Table, command: Command): string | undefined {
  if (["scope", "member_id"].every((needed) => columns.some((column) => column.name === needed)))
    return `(scope = 'member') is false or member_id = ${privatePerson}`;
  return command === "select" ? privateRows[name] : undefined;
}

export function statementsFor(role: string, table: Table, command: Command): Statement[] {
  const ofOrganisation = organisationCondition(table);
  if (!ofOrganisation) return [];
  const conditions: [StatementName, string | undefined][] = [
    ["organisation", ofOrganisation],
    ["private", privateCondition(table, command)],
    ["scope", command === "select" ? undefined : `${scope} >= 'write'`],
  ];
  return conditions.flatMap(([name, condition]): Statement[] => {
    if (condition === undefined) return [];
    const exception = exceptions.find(
      (each) =>
        each.role === role &&
        each.statement === name &&
        (!each.tables || each.tables.includes(table.name)) &&
        (!each.commands || each.commands.includes(command)),
    );
    if (!exception) return [{ name, condition }];
    const { instead, why } = exception;
    return [{ name, exception: why, ...(instead ? { condition: instead(condition) } : {}) }];
  });
}
