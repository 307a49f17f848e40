/** A claim as the contract words it, for contestants that write their own SQL. */

export const columns = (of: string) => `
  ${of}.id, ${of}.scope, ${of}.bot_id as "botId", ${of}.kind, ${of}.subject, ${of}.subject_kind as "subjectKind",
  ${of}.value, ${of}.confidence, rows.time(${of}.valid_to) as "validTo", ${of}.provenance,
  rows.time(${of}.created_at) as "createdAt", ${of}.lawful_basis as "lawfulBasis"`;

/** `$1` is its organisation, `$2` its id. */
export const getOne = `
  select row_to_json(found)::text as body
  from (select ${columns("memory")} from app.memories memory where organisation_id = $1 and id = $2) found`;
