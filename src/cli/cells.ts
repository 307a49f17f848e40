/** The commands of the directory and of its cells (docs/directory.md). */
import { readFileSync } from "node:fs";
import { Command, InvalidArgumentError } from "commander";
import type { z } from "zod";
import type { DirectoryAdministration } from "../cells/directory/administration.ts";
import { cellName } from "../config/cells.ts";
import { httpUrl, withoutSlash } from "../config/kinds.ts";
import { type Config, readConfig } from "../config.ts";
import { loadMasterKey } from "../secrets/master-key.ts";
import { printError } from "../terminal.ts";
import { type Attribution, attributedAll } from "./attribution.ts";
import { asOperator, connectedAs, runningDatabase } from "./database.ts";
import { type Format, printable, printChange, printList } from "./output.ts";

function urlOfDirectory({ directory }: Config): string {
  if (!directory) throw new Error("There is no directory: set DIRECTORY_URL and CELL (docs/directory.md).");
  return directory.url;
}

/** The directory of DIRECTORY_URL while `use` runs. @throws Error if there is none */
export async function withDirectory<T>(use: (directory: DirectoryAdministration) => Promise<T>): Promise<T> {
  const url = urlOfDirectory(readConfig());
  const { administerDirectory } = await import("../cells/directory/administration.ts");
  const administration = await administerDirectory(url);
  try {
    return await use(administration);
  } finally {
    await administration.end();
  }
}

/**
 * Runs a statement as the role cli in every cell of the directory; without a directory, in this database. Each cell must answer
 * before it runs in the first.
 */
export async function inAllCells<Row extends object>(
  text: string,
  values: unknown[],
  attribution: Attribution,
): Promise<Row[]> {
  const { directory } = readConfig();
  if (!directory) return asOperator<Row>(text, values, attribution);
  const { key, adminUrl } = await runningDatabase();
  const cells = await withDirectory((administration) =>
    administration.rows<{ name: string; url: string }>("select name, url from directory.cells"),
  );
  const urls = cells.map(({ name, url }) => (name === directory.cell ? adminUrl : url));
  const run = (url: string, statement: string, given: unknown[]) =>
    connectedAs(
      "cli",
      { adminUrl: url, key },
      async (cli) => (await cli.query<Row>(statement, given)).rows,
      attribution,
    );
  for (const url of urls) await run(url, "select", []);
  const rows: Row[] = [];
  for (const url of urls) rows.push(...(await run(url, text, values)));
  return rows;
}

export function cellCommands(): Command[] {
  return [directoryCommand(), cellCommand()];
}

function directoryCommand(): Command {
  const command = new Command("directory").description("the directory of several cells");
  command
    .command("migrate")
    .description("create the database of DIRECTORY_URL and its schema, or bring them to this version")
    .action(async () => {
      const config = readConfig();
      const url = urlOfDirectory(config);
      const { migrateDirectory } = await import("../cells/directory/administration.ts");
      await migrateDirectory(url, loadMasterKey(config));
      printError("The directory is up to date.\n");
    });
  return command;
}

type AddOptions = Attribution &
  Format & { urlFile: string; poolerUrlFile?: string; readUrlFile?: string; consoleUrl?: string };

function cellCommand(): Command {
  const command = new Command("cell").description("cells in the directory");
  printable(command.command("add"))
    .description("register a cell with its organisations and people, or change its URLs")
    .argument("<name>", "1 to 40 lower-case letters, digits and hyphens", nameOfCell)
    .requiredOption("--url-file <file>", "file with the URL of an administrator of its database")
    .option("--pooler-url-file <file>", "file with the URL of its pooler")
    .option("--read-url-file <file>", "file with the URL of its replica")
    .option(
      "--console-url <url>",
      "address of its console, for links from the consoles of other cells",
      addressOfConsole,
    )
    .action(add);
  printable(command.command("list"))
    .description("list cells: name, state, number of organisations, URL")
    .action(async (format: Format) => {
      const text = `select cell.name, cell.state, count(organisation.id)::integer as organisations, cell.url
        from directory.cells cell left join directory.organisations organisation on organisation.cell = cell.name
        group by cell.name order by cell.added_at, cell.name`;
      const cells = await withDirectory((directory) => directory.rows<Listed>(text));
      printList(cells, ({ name, state, organisations, url }) => [name, state, String(organisations), url], format);
    });
  for (const [verb, state, effect] of [
    ["drain", "draining", "gets no new organisations"],
    ["open", "open", "gets new organisations"],
  ] as const) {
    printable(command.command(verb))
      .description(`the cell ${effect} from now on`)
      .argument("<name>")
      .action(async (name: string, format: Format) => {
        const { setCellState } = await import("../cells/directory/administration.ts");
        const found = await withDirectory((directory) => setCellState(directory, name, state));
        if (!found) throw new Error("The directory has no cell of that name.");
        printChange(`The cell ${name} ${effect}.`, { cell: name, state }, format);
      });
  }
  return attributedAll(command, "add");
}

type Listed = { name: string; state: string; organisations: number; url: string };

async function add(
  name: string,
  { urlFile, poolerUrlFile, readUrlFile, consoleUrl, ...options }: AddOptions,
): Promise<void> {
  const urlIn = (file: string | undefined) => file && readFileSync(file, "utf8").trim();
  const { registerCell } = await import("../cells/directory/administration.ts");
  const cell = {
    name,
    url: urlIn(urlFile) ?? "",
    poolerUrl: urlIn(poolerUrlFile),
    readUrl: urlIn(readUrlFile),
    consoleUrl,
  };
  const { config, adminUrl } = await runningDatabase();
  const own = config.directory?.cell ?? "";
  const keysOf = own === name ? undefined : { ...options, cell: own, url: adminUrl };
  const { organisations } = await withDirectory((directory) => registerCell(directory, cell, keysOf));
  printChange(
    `The cell ${name} is in the directory, with ${organisations} organisations.`,
    { cell: name, organisations },
    options,
  );
}

const addressOfConsole = (text: string): string => withoutSlash(checked(httpUrl, text) ?? "");

export const nameOfCell = (text: string): string => checked(cellName, text);

/** @throws InvalidArgumentError with the message of the kind */
function checked<Value>(kind: z.ZodType<Value>, text: string): Value {
  const { success, data, error } = kind.safeParse(text);
  if (!success) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`);
  return data;
}
