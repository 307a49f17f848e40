/** Limits of request bodies, also for the portal. */

/** 1 MB, for the compressed and the uncompressed body. */
export const maxBodyBytes = 1024 * 1024;

/** Lines of one call of an import, which takes about half a second. */
export const maxImportLines = 500;
