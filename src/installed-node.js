// The Node that npm installs as an optional package. npm 10 removes its link in node_modules/.bin, because the packages of other
// platforms, which it leaves out, have a link of the same name. npm runs this file after each change of node_modules.
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const modules = new URL("../node_modules/", import.meta.url);
const link = fileURLToPath(new URL(".bin/node", modules));
const platform = `${process.platform}-${process.arch}`;
const program = [`node-${platform}/bin/node`, `node-bin-${platform}/bin/node`].find((path) =>
  existsSync(new URL(path, modules)),
);

if (program && !existsSync(link)) {
  try {
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(`../${program}`, link);
  } catch {
    // The folder may be read-only, and another process may have made the link. The path of the program is right without it.
  }
}

/** Path of the program; undefined if no package has it. */
export const installedNode = existsSync(link) ? link : program && fileURLToPath(new URL(program, modules));
