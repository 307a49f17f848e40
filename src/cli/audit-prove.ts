/**
 * `botstead audit prove`: proves from the catalogue of the running database that policies and functions keep organisations apart, for
 * all rows and settings. It needs a solver, which is installed apart (src/prove/packages.ts).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import { withSession } from "../database/connections/session.ts";
import type { Catalogue } from "../prove/catalogue.ts";
import type { Proof } from "../prove/report.ts";
import { print, safeJson } from "../terminal.ts";
import { asAuditor } from "./audit-session.ts";
import { beside, section } from "./audit-text.ts";
import { checking, explainExitCodes } from "./checking.ts";
import { commandLineUser, runningDatabase } from "./database.ts";

type Options = { json?: true; full?: true; list?: true; check?: true; save?: string; diff?: string };

export function proveCommand(): Command {
  return explainExitCodes(new Command("prove"), "all is proven or excepted; with --diff, nothing is wider")
    .description("prove for all rows that policies keep organisations apart")
    .option("--json", "the proof as JSON")
    .option("--full", "also each exception, and each place in a function that is not proven")
    .option("--list", "only the functions that are not proven, as docs/unproven-functions.md")
    .option("--check", "let PostgreSQL decide whether examples are real: it creates their rows, and rolls back")
    .option("--save <file>", "also write the policies and functions to a file, for --diff")
    .option("--diff <file>", "instead compare with a saved file: what became visible or writable, and to whom")
    .action((options: Options) => checking(() => run(options)));
}

async function run({ json, full, list, check, save, diff }: Options): Promise<boolean> {
  const { requirePackages } = await import("../prove/packages.ts"); // other commands need none of this
  requirePackages();
  const { compareWith, prove, readPlace } = await import("../prove/proof.ts");
  const place = await asAuditor(readPlace);
  if (save !== undefined) writeFileSync(save, `${JSON.stringify(place.catalogue)}\n`);
  const layout = { section, beside };
  if (diff !== undefined) {
    const { comparisonAsText, isWider } = await import("../prove/comparison-report.ts");
    const comparison = await compareWith(savedCatalogue(diff), place);
    print(json ? `${safeJson(comparison, 2)}\n` : comparisonAsText(comparison, place, layout));
    return !isWider(comparison);
  }
  const { isProven, proofAsJson, proofAsText } = await import("../prove/report.ts");
  const proof = await prove(place);
  if (check) await decideExamples(proof);
  if (list) {
    const { pageOf } = await import("../prove/unproven-page.ts");
    print(pageOf(proof.functions.unproven));
  } else print(json ? `${safeJson(proofAsJson(proof), 2)}\n` : proofAsText(proof, full === true, layout));
  return isProven(proof);
}

function savedCatalogue(file: string): Catalogue {
  const saved = JSON.parse(readFileSync(file, "utf8")) as Partial<Catalogue>;
  if (!saved.tables || !saved.privileges || !saved.functions)
    throw new Error(`${file} was not written by botstead audit prove --save.`);
  return saved as Catalogue;
}

async function decideExamples(proof: Proof): Promise<void> {
  const { decide } = await import("../prove/counterexample.ts");
  const { failed } = await import("../prove/report.ts");
  await withSession((await runningDatabase()).adminUrl, commandLineUser(), async (admin) => {
    proof.decisions = new Map();
    for (const result of failed(proof))
      if (result.example) proof.decisions.set(result, await decide(admin, proof.catalogue, result));
  });
}
