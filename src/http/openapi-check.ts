/**
 * `npm run contract [-- --update]`: whether docs/openapi.json, the contract as readers of the repository see it, is the
 * document that the code serves. What changes for clients is thereby seen in the diff of a change. Exit code 1 when not.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { openApiDocument } from "./openapi.ts";

const file = new URL("../../docs/openapi.json", import.meta.url);
const most = 30;

// By way of text, so that both sides hold only what JSON can hold.
const text = `${JSON.stringify(openApiDocument("https://api.example.com"), null, 2)}\n`;

if (process.argv.includes("--update")) {
  writeFileSync(file, text);
  console.log("docs/openapi.json is what the code serves.");
} else {
  const kept: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const differing = [...differences(kept, JSON.parse(text), "")];
  if (differing.length > 0) {
    console.error(
      [
        "docs/openapi.json is not what the code serves. They differ at:",
        ...differing.slice(0, most).map((path) => `  ${path}`),
        ...(differing.length > most ? [`  and at ${differing.length - most} more`] : []),
        "If the contract is meant to change: npm run contract -- --update",
      ].join("\n"),
    );
    process.exitCode = 1;
  } else {
    console.log("docs/openapi.json is what the code serves.");
  }
}

/** The places where two documents differ, as deep as can be told, as JSON pointers (RFC 6901) with what happened there. */
function* differences(kept: unknown, served: unknown, at: string): Generator<string> {
  if (!isBranch(kept) || !isBranch(served) || Array.isArray(kept) !== Array.isArray(served)) {
    if (JSON.stringify(kept) !== JSON.stringify(served)) yield `${at || "/"} (changed)`;
    return;
  }
  for (const name of new Set([...Object.keys(kept), ...Object.keys(served)])) {
    const path = `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!Object.hasOwn(kept, name)) yield `${path} (only in the code)`;
    else if (!Object.hasOwn(served, name)) yield `${path} (only in docs/openapi.json)`;
    else yield* differences(kept[name], served[name], path);
  }
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
