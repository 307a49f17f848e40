/** The commands that set prices of models. Only models with a price are served (docs/models.md). */
import { Command, InvalidArgumentError } from "commander";
import { type Attribution, attributedAll } from "./attribution.ts";
import { asOperator } from "./database.ts";
import { type Format, printable, printChange, printList } from "./output.ts";

/** 1 euro = 100 cents, 1 cent = 1,000,000 micro-cents. */
const decimals = 8;

export function modelPriceCommand(): Command {
  const command = new Command("model-price").description("prices of models; a model needs a price to be served");
  printable(command.command("set"))
    .description("set the price of a model from now on, and serve it")
    .argument("<model>", "its name at the service, which bots use too", model)
    .requiredOption("--input <euros>", "per million input tokens", microCents)
    .requiredOption("--output <euros>", "per million output tokens", microCents)
    .action(async (name: string, options: Attribution & Format & { input: bigint; output: bigint }) => {
      const { input, output, reason } = options;
      await asOperator("select operator.set_model_price($1, $2, $3, $4)", [name, input, output, reason], options);
      printChange(`The model ${name} is served at this price.`, { model: name, state: "served" }, options);
    });
  printable(command.command("withdraw"))
    .description("withdraw a model: no new work begins with it")
    .argument("<model>")
    .action(async (name: string, options: Attribution & Format) => {
      const [row] = await asOperator<{ withdrawn: boolean }>(
        "select operator.withdraw_model($1, $2) as withdrawn",
        [name, options.reason],
        options,
      );
      if (!row?.withdrawn) throw new Error("No model of that name is served.");
      printChange(`The model ${name} is withdrawn.`, { model: name, state: "withdrawn" }, options);
    });
  printable(command.command("list"))
    .description("list models: name, euros per million input and output tokens, since when, reason")
    .option("--all", "with earlier prices")
    .action(async ({ all = false, ...format }: Format & { all?: boolean }) => {
      const rows = await asOperator<Price>(
        "select * from operator.model_prices where current or $1 order by model, id desc",
        [all],
      );
      printList(rows, columns, format);
    });
  return attributedAll(command, "set", "withdraw");
}

type Price = {
  model: string;
  input_micro_cents: string;
  output_micro_cents: string;
  served: boolean;
  reason: string | null;
  created_at: Date;
};

function columns({ model, input_micro_cents, output_micro_cents, served, reason, created_at }: Price): string[] {
  const day = created_at.toISOString().slice(0, 10);
  const since = `${served ? "since" : "withdrawn"} ${day}`;
  return [model, euros(input_micro_cents), euros(output_micro_cents), since, reason ?? ""];
}

function model(text: string): string {
  if (text === "recall") throw new InvalidArgumentError("recall is built in and free.");
  return within(text, 100);
}

function within(text: string, maxLength: number): string {
  const length = [...text].length;
  if (length < 1 || length > maxLength) throw new InvalidArgumentError(`It must have 1 to ${maxLength} characters.`);
  return text;
}

function microCents(text: string): bigint {
  const [, whole, part = ""] = text.match(/^(\d{1,4})(?:\.(\d{1,8}))?$/) ?? [];
  if (whole === undefined) throw new InvalidArgumentError("It must be an amount such as 2.50, below 10000.");
  return BigInt(whole + part.padEnd(decimals, "0"));
}

/** With at least two decimals, and no further trailing zeros. */
function euros(microCents: string): string {
  const digits = microCents.padStart(decimals + 1, "0");
  const part = digits.slice(-decimals).replace(/0{1,6}$/, "");
  return `${digits.slice(0, -decimals)}.${part}`;
}
