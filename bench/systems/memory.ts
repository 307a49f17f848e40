/** SQL for a memory in the form of the contract, for systems with their own statements. */

export const columns = (table: string) => `
  ${table}.id, ${table}.scope, ${table}.bot_id as "botId", ${table}.kind, ${table}.subject, ${table}.subject_kind as "subjectKind",
  ${table}.value, ${table}.confidence, rows.time(${table}.valid_to) as "validTo", ${table}.provenance,
  rows.time(${table}.created_at) as "createdAt", ${table}.lawful_basis as "lawfulBasis"`;

/** `$1` is the organisation, `$2` the id. */
export const getOne = `
  select row_to_json(result)::text as body
  from (select ${columns("memory")} from app.memories memory where organisation_id = $1 and id = $2) result`;
