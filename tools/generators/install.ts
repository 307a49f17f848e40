/** The generators of clients. */
import { fileURLToPath } from "node:url";
import { installPackages } from "../packages.ts";

export const generators = fileURLToPath(new URL(".", import.meta.url));

export const installGenerators = (): void => installPackages(generators);
