/*
 * The last of the definitions: from here on, what differs was altered by somebody else.
 */
refresh materialized view audit.as_migrated;
