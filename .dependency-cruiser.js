/** Rules of imports in src/, checked by `npm run lint`. Type-only imports and `await import()` count too. */

/** What a part of src/ may import besides itself. Parts that are not listed may import anything. */
const below = {
  delivery: [],
  routines: [],
  prove: [],
  metrics: ["version.ts", "web/listening.ts"],
  tracing: ["config.ts", "version.ts"],
  contract: ["delivery/webhook-url.ts", "routines/", "delivery/cidr.ts"],
  secrets: ["contract/operation.ts", "config.ts"],
  web: ["contract/", "delivery/cidr.ts", "secrets/credentials.ts", "log.ts"],
  tenant: [
    "client/",
    "contract/event-kinds.ts",
    "contract/export-chain.ts",
    "contract/export-files.ts",
    "delivery/headers.ts",
    "terminal.ts",
  ],
  database: ["contract/", "secrets/", "delivery/webhook-url.ts", "delivery/address.ts", "config.ts", "version.ts"],
  runner: ["contract/fields.ts", "database/", "delivery/fetch.ts", "log.ts"],
  // web/front/folder.ts hashes these files, so that a change of one starts a build.
  front: [
    "contract/reasons.ts",
    "contract/refusals.ts",
    "contract/limits.ts",
    "routines/",
    "client/generated/",
    "contract/enumerations.ts",
    "contract/event-kinds.ts",
    "contract/event-examples.ts",
    "contract/preview.ts",
    "contract/export-files.ts",
    "contract/body-limits.ts",
    "console/queries/",
  ],
  transparency: [
    "contract/export-chain.ts",
    "contract/export-files.ts",
    "worker/extension.ts",
    "secrets/",
    "delivery/fetch.ts",
    "web/listening.ts",
    "log.ts",
  ],
  worker: ["metrics/", "tracing/", "routines/", "runner/", "delivery/", "database/", "secrets/", "config.ts", "log.ts"],
  api: [
    ...["contract/", "metrics/", "tracing/", "database/", "secrets/", "web/"],
    ...["delivery/inbound.ts", "delivery/webhook-url.ts"],
    ...["config/network.ts", "config/outbound.ts", "config.ts", "log.ts", "version.ts"],
  ],
  portal: ["api/", "contract/", "secrets/", "web/", "config.ts"],
  mcp: [
    ...["api/", "portal/portal.ts", "contract/", "secrets/", "web/"],
    ...["delivery/", "config/outbound.ts", "config.ts", "log.ts", "version.ts"],
  ],
  cells: ["api/", "contract/", "database/", "secrets/", "web/", "config.ts", "log.ts"],
  console: ["contract/", "metrics/", "database/", "secrets/", "web/", "config/network.ts", "config.ts", "log.ts"],
};

/** Attached in src/extensions. The console is a process, and src/cells has commands of its own in src/cli. */
const extensions = ["portal", "mcp", "cells", "transparency", "console"].join("|");

/** Type-only imports are no use of a package. */
const used = (name) => ({ path: `node_modules/(${name})`, dependencyTypesNot: ["type-only"] });

export default {
  forbidden: [
    { name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
    ...Object.entries(below).map(([part, allowed]) => ({
      name: `${part}-imports-parts-below`,
      severity: "error",
      from: { path: `^src/${part}/` },
      to: { path: "^src/", pathNot: [`${part}/`, ...allowed].map((place) => `^src/${place}`) },
    })),
    {
      name: "core-imports-no-extension",
      comment: "The core runs without its extensions.",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(${extensions}|extensions|cli|front|compile[.]js)` },
      to: { path: `^src/(${extensions})/` },
    },
    {
      name: "api-uses-pools",
      comment:
        "The API reaches the database only through its pools. The directory is a database of its own, and moves are commands.",
      severity: "error",
      from: { path: "^src/(api|web|contract|mcp|portal|cells)/", pathNot: "^src/cells/(directory|moves)/" },
      to: used("pg(-|/)"),
    },
    {
      name: "only-delivery-uses-undici",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/delivery/" },
      to: used("undici/"),
    },
  ],
  options: {
    parser: "swc", // dependency-cruiser does not know TypeScript 7
    doNotFollow: { path: "node_modules" },
  },
};
