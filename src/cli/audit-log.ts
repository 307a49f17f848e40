/** Commands of the audit log: `audit verify`, `audit export`, `audit key` and `audit accept-fault`. */
import { pipeline } from "node:stream/promises";
import { Command, InvalidArgumentError } from "commander";
import type { Client } from "pg";
import { readConfig } from "../config.ts";
import { loadMasterKey } from "../secrets/master-key.ts";
import { readVerifier, signerFrom, type Verifier } from "../secrets/note-key.ts";
import { keyOfPart } from "../secrets/part-secrets.ts";
import { oneLine, print, safeJson } from "../terminal.ts";
import { type Fault, nilId, sentenceOf } from "../transparency/fault.ts";
import { type VerifiedExport, verifyExport } from "../transparency/verification/exports.ts";
import type { LogRows } from "../transparency/verification/rows.ts";
import { type Verification, verifyLog } from "../transparency/verification/verify.ts";
import { readStored, type Stored } from "../transparency/witness/store.ts";
import { type Attribution, attributed } from "./attribution.ts";
import { beginReading, databaseRows, fileRows } from "./audit-log-rows.ts";
import { asAuditor } from "./audit-session.ts";
import { checking, explainExitCodes } from "./checking.ts";
import { asOperator, connectedAs, runningDatabase } from "./database.ts";
import { counted, type Format, printable, printChange, uuid } from "./output.ts";

type VerifyOptions = { json?: true; witness?: string; file?: string; export?: string; key?: string[] };

export function auditLogCommands(): Command[] {
  return [
    explainExitCodes(new Command("verify"), "no fault")
      .description("verify the audit log: chains, truncations, tree, checkpoints")
      .option("--witness <file>", "also compare the checkpoints in the file of a witness")
      .option("--file <file>", "verify an export instead of the database")
      .option("--export <folder>", "verify the export of an organisation instead, without a database")
      .option("--key <key...>", "public keys to trust instead of the one derived from the master key")
      .option("--json", "the result as JSON")
      .action((options: VerifyOptions) =>
        checking(async () => {
          const { found, text } = await verify(options);
          print(options.json ? `${safeJson(found, 2)}\n` : text);
          return found.faults.length === 0;
        }),
      ),
    new Command("export")
      .description("print entries, tree and checkpoints as JSON lines, for `audit verify --file`")
      .action(async () => {
        await connectedAs("owner", await runningDatabase(), async (owner) => {
          await beginReading(owner, true);
          await printLines(databaseRows(owner, true));
        });
      }),
    new Command("key")
      .description("print the public key of the checkpoints, for witnesses and verifiers")
      .action(() => void print(`${ownKey().text}\n`)),
    attributed(
      printable(new Command("accept-fault"))
        .description("accept a fault whose cause is known: the checkpoint job then signs again")
        .requiredOption("--organisation <id>", "as audit.log_faults shows it", uuid)
        .requiredOption("--fault <kind>", "as audit.log_faults shows it")
        .requiredOption("--sequence <number>", "as audit.log_faults shows it", sequenceNumber),
    ).action(async ({ organisation, fault, sequence, by, reason, json }: FaultOptions) => {
      const [row] = await asOperator<{ accepted: boolean }>(
        "select operator.accept_audit_fault($1, $2, $3) as accepted",
        [organisation, fault, sequence],
        { by, reason },
      );
      if (!row?.accepted) throw new Error("There is no such fault, or it is accepted already: see audit.log_faults.");
      const sentence = "The fault is accepted. The next checkpoint is signed unless there is another.";
      printChange(sentence, { organisation, fault, sequence, state: "accepted" }, { json });
    }),
  ];
}

/** Ends early if a reader such as head closes its end of the pipe. */
async function printLines(rows: LogRows): Promise<void> {
  let isClosed = false;
  process.stdout.once("error", () => {
    isClosed = true;
  });
  async function* lines() {
    for await (const row of rows) yield `${safeJson(row)}\n`;
  }
  await pipeline(lines, process.stdout, { end: false }).catch((error: Error) => {
    if (!isClosed) throw error;
  });
}

type FaultOptions = Attribution & Format & { organisation: string; fault: string; sequence: number };

function sequenceNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number, such as 12.");
}

/** The key of the checkpoints that this installation signs. */
function ownKey(): Verifier {
  const config = readConfig();
  const { partSecrets, audit } = config;
  const key = partSecrets.AUDIT_KEY ? keyOfPart("worker", partSecrets) : loadMasterKey(config);
  return signerFrom(audit.origin, 1, key.checkpoints);
}

async function verify({ export: folder, key, ...options }: VerifyOptions) {
  const keys = key ? key.map(readVerifier) : [ownKey()];
  if (folder === undefined) {
    const found = await verifyWhole(options, keys);
    return { found, text: report(found) };
  }
  const found = verifyExport(folder, keys);
  return { found, text: reportOfExport(found) };
}

async function verifyWhole({ witness, file }: VerifyOptions, keys: Verifier[]): Promise<Verification> {
  const stored: Stored[] = witness === undefined ? [] : readStored(witness);
  if (witness !== undefined && stored.length === 0) throw new Error(`${witness} has no checkpoint.`);
  if (file !== undefined) return verifyLog(fileRows(file), keys, stored);
  return asAuditor((auditor) => verifyDatabase(auditor, keys, stored));
}

/** The database verifies the content of entries, which auditors do not read. */
export async function verifyDatabase(
  auditor: Pick<Client, "query">,
  keys: Verifier[],
  stored: Stored[],
): Promise<Verification> {
  await beginReading(auditor, false);
  const found = await verifyLog(databaseRows(auditor, false), keys, stored);
  const columns = "organisation_id, sequence::integer, last_sequence::integer, fault";
  const stated = await auditor.query<Fault>(
    `select ${columns} from audit.verify_chain()
     union
     select ${columns} from audit.verify_ends()
     union
     select ${columns} from audit.log_faults where is_open
     union
     select '${nilId}'::uuid, 0, 0, 'setting' where not audit.is_retention_recorded()`,
  );
  await auditor.query("commit");
  return { ...found, faults: [...new Set([...found.faults, ...stated.rows.map(sentenceOf)])] };
}

function report({ entries, treeSize, checkpoints, witnessed, waiting, faults }: Verification): string {
  const lines = [
    `${counted(entries, "entry", "entries")}, ${treeSize} in the tree, ${waiting} not in a checkpoint yet`,
    `${counted(checkpoints, "checkpoint")}${witnessed > 0 ? `, ${witnessed} of the witness` : ""}`,
    ...linesOf(faults),
  ];
  return `${lines.join("\n")}\n`;
}

const linesOf = (faults: string[]): string[] => [
  faults.length === 0 ? "No faults." : `${counted(faults.length, "fault")}:`,
  ...faults.map((fault) => `  ${oneLine(fault)}`), // names in a file can have line breaks
];

function reportOfExport({ organisationId, parts, lines, withheld, faults }: VerifiedExport): string {
  const rows = `${counted(lines, "row")} in ${counted(parts, "part")}, ${withheld} withheld`;
  return `${[`Export of organisation ${oneLine(organisationId)}: ${rows}`, ...linesOf(faults)].join("\n")}\n`;
}
