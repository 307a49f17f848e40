/** The saved queries of src/console/queries by name. The server replaces this declaration with a generated module. */
export declare const queries: Record<string, string>;
