/** The settings of the caller as the database reads them, in SQL. Only caller.authenticate sets them (sql/caller). */
const setting = (name: string, type: string) => `nullif(current_setting('caller.${name}', true), '')::${type}`;

export const organisation = setting("organisation_id", "uuid");
export const scope = setting("scope", "app.key_scope");
/** Null in a session that another person opened. */
export const privatePerson = `case when (current_setting('caller.credential', true) like '% for_another') is not true then ${setting("person_id", "uuid")} end`;
/** The id of the key or session. */
export const credential = "split_part(current_setting('caller.credential', true), ' ', 2)::uuid";
