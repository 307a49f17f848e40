/**
 * The start of a statement without triggers, for rows from before a rule. The rest reads `from quiet`; the setting ends with
 * the statement.
 */
export const quietly = "with quiet as materialized (select set_config('session_replication_role', 'replica', true))";
