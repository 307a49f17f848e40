/**
 * The static files of the page: its modules without types, styles, vendored modules, and the saved queries as a module.
 * There is no build step. The URL holds a hash of all files, so browsers can cache them for ever and never mix versions.
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
  /** URL prefix of each file: /assets/<hash> */
  base: string;
  modules: string[];
  styles: string[];
  /** The import map: URLs of the vendored packages. */
  imports: Record<string, string>;
  /** Undefined for an unknown file. The first call strips the types. */
  file(name: string): Promise<Asset | undefined>;
};

const browser = fileURLToPath(new URL("browser", import.meta.url));
const sharedStyles = fileURLToPath(new URL("../../front/styles", import.meta.url));
const queries = fileURLToPath(new URL("../queries", import.meta.url));

/** Vendored files by import name. Each lies beside the file that Node itself would load. */
const vendored: Record<string, string> = { preact: "preact.mjs", "preact/hooks": "hooks.mjs", htm: "htm.mjs" };

const types: Record<string, string> = {
  ts: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

export function readAssets(): Assets {
  const sources: Record<string, string> = { "queries.ts": queriesAsModule() };
  for (const name of ["base.css", "frame.css", "parts.css", "tables.css", "dialog.css"]) {
    sources[name] = readFileSync(join(sharedStyles, name), "utf8");
  }
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
        served = undefined; // the next request retries
        throw error;
      });
      const all = await served;
      return Object.hasOwn(all, name) ? all[name] : undefined;
    },
  };
}

/** A module that exports all saved queries by name. */
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
    thread.once("exit", (code) => reject(new Error(`Stripping types failed: the thread exited with ${code}.`)));
  });
}
