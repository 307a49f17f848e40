/**
 * The saved queries of src/console/queries by their names. This file only says what it looks like: the server puts the
 * queries themselves in its place.
 */
export declare const queries: Record<string, string>;
