/** Columns and values of new rows for the matrix, as rows.ts names them. */
/** @property rest what follows the values, for a table that has one row of the organisation */
export type Insert = [columns: string, values: string, rest?: string];

export const key = (creator: string): Insert => [
  "organisation_id, name, prefix, digest, scope, created_by, expires_at",
  `:organisation, 'New', 'bsk_00000000', sha256('new'), 'read', ${creator}, now() + interval '1 day'`,
];
export const bot = (owner: string): Insert => ["organisation_id, name, owner_id", `:organisation, 'New', ${owner}`];
export const conversation = (bot: string, person: string): Insert => [
  "organisation_id, bot_id, person_id",
  `:organisation, ${bot}, ${person}`,
];
export const run = (bot: string, conversation: string, person: string): Insert => [
  "organisation_id, bot_id, conversation_id, person_id, trigger",
  `:organisation, ${bot}, ${conversation}, ${person}, 'api'`,
];
export const message = (conversation: string, run: string, author: string): Insert => [
  "organisation_id, conversation_id, run_id, author, text",
  `:organisation, ${conversation}, ${run}, '${author}', 'New'`,
];
export const metadata = (run: string): Insert => [
  "organisation_id, run_id, key, value",
  `:organisation, ${run}, 'new', 'New'`,
];
export const memory = (
  scope: string,
  more = "",
  moreValues = "",
  provenance = "member",
  creator = ":person",
): Insert => [
  `organisation_id, scope, kind, subject, value, provenance, source, created_by${more}`,
  `:organisation, '${scope}', 'fact', 'New', 'New', '${provenance}', 'api', ${creator}${moreValues}`,
];
export const imported = (scope: string, more = "", moreValues = "", provenance = "import", creator = ":person") =>
  memory(scope, `, external_id${more}`, `, 'new'${moreValues}`, provenance, creator);
export const invitation = (inviter: string, more = "", moreValues = ""): Insert => [
  `organisation_id, email, role, invited_by, token_digest${more}`,
  `:organisation, 'new@example.test', 'member', ${inviter}, sha256('new')${moreValues}`,
];
export const portalSession = (creator: string, more = "", moreValues = ""): Insert => [
  `organisation_id, person_id, created_by, key_id, link_digest, expires_at${more}`,
  `:organisation, :colleague, ${creator}, caller.key_id(), sha256('new'), now() + interval '1 hour'${moreValues}`,
];
export const exportOf = (person: string): Insert => [
  "organisation_id, person_id, tables_hash",
  `:organisation, ${person}, repeat('0', 64)`,
];
export const partOf = (ofExport: string): Insert => [
  "organisation_id, export_id, number, counts, lines, hash, chain",
  `:organisation, ${ofExport}, 2, '{}', 0, repeat('0', 64), repeat('0', 64)`,
];
export const mail = (kind: string): Insert => [
  "organisation_id, kind, recipient, data",
  `:organisation, '${kind}', 'new@example.test', '{}'`,
];
export const routine = (bot: string, person: string, more = "", moreValues = ""): Insert => [
  `organisation_id, bot_id, name, schedule, time_zone, message, created_by${more}`,
  `:organisation, ${bot}, 'New', '0 9 * * *', 'UTC', 'Hello', ${person}${moreValues}`,
];
export const hook = (bot: string, person: string): Insert => [
  "organisation_id, bot_id, name, secret_sealed, secret_digest, created_by",
  `:organisation, ${bot}, 'New', 'sealed', sha256('new'), ${person}`,
];
