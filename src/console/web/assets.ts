/**
 * The files of the page, as browsers take them: our own modules with their types stripped, styles, the few vendored
 * modules, and the saved queries as a module. There is no build: what is here in source is what is served, under an
 * address with the hash of all of it, so that it is kept for ever and never mixed with another version's.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";

export type Asset = { type: string; plain: Buffer; zipped: Buffer };

export type Assets = {
  /** Begins the address of each file: /assets/<hash> */
  base: string;
  modules: string[];
  styles: string[];
  /** What the browser finds under the names that packages have. */
  imports: Record<string, string>;
  /** Undefined where there is no such file. The first to ask has the types stripped. */
  file(name: string): Promise<Asset | undefined>;
};

const browser = fileURLToPath(new URL("browser", import.meta.url));
const queries = fileURLToPath(new URL("../queries", import.meta.url));

/** Everything that is served of packages: by the name of an import, the file beside what Node itself would load. */
const vendored: Record<string, string> = { preact: "preact.mjs", "preact/hooks": "hooks.mjs", htm: "htm.mjs" };

const types: Record<string, string> = {
  ts: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

export function readAssets(): Assets {
  const sources: Record<string, string> = { "queries.ts": queriesAsModule() };
  for (const name of readdirSync(browser, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (/\.(ts|css|svg)$/.test(name) && name !== "queries.ts") {
      sources[name] = readFileSync(join(browser, name), "utf8");
    }
  }
  const { resolve } = createRequire(import.meta.url);
  for (const [name, file] of Object.entries(vendored)) {
    sources[file] = readFileSync(join(dirname(resolve(name)), file), "utf8").replace(/\n\/\/# sourceMapping.*/, "");
  }
  const hash = createHash("sha256").update(JSON.stringify(sources)).digest("base64url").slice(0, 16);
  const base = `/assets/${hash}`;
  let served: Promise<Record<string, Asset>> | undefined;
  return {
    base,
    modules: Object.keys(sources).filter((name) => /\.m?[jt]s$/.test(name)),
    styles: Object.keys(sources).filter((name) => name.endsWith(".css")),
    imports: Object.fromEntries(Object.entries(vendored).map(([name, file]) => [name, `${base}/${file}`])),
    async file(name) {
      served ??= serve(sources).catch((error) => {
        served = undefined; // the next who asks tries again
        throw error;
      });
      const all = await served;
      return Object.hasOwn(all, name) ? all[name] : undefined;
    },
  };
}

/** One export of all saved queries by their names: the words that the page says to /graphql. */
function queriesAsModule(): string {
  const texts = readdirSync(queries)
    .filter((file) => file.endsWith(".graphql"))
    .toSorted()
    .map((file) => [file.replace(/\.graphql$/, ""), readFileSync(join(queries, file), "utf8")]);
  return `export const queries: Record<string, string> = ${JSON.stringify(Object.fromEntries(texts), null, 1)};\n`;
}

async function serve(sources: Record<string, string>): Promise<Record<string, Asset>> {
  const typed = Object.fromEntries(Object.entries(sources).filter(([name]) => name.endsWith(".ts")));
  const texts = { ...sources, ...(await stripped(typed)) };
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const plain = Buffer.from(text);
      return [name, { type: types[name.split(".").at(-1) ?? ""] ?? "", plain, zipped: gzipSync(plain) }];
    }),
  );
}

function stripped(sources: Record<string, string>): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("strip.ts", import.meta.url), {
      workerData: sources,
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`Types were not stripped: the thread ended with ${code}.`)));
  });
}
