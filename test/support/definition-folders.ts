import { readdirSync } from "node:fs";

/** The folders of sql/. Each is a schema of the same name. */
export const definitionFolders = readdirSync(new URL("../../sql/", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();
