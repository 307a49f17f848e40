/** Values of options that are texts. */
import { InvalidArgumentError } from "commander";
import { nameFault } from "../contract/names.ts";

/** The text without spaces around it. @throws InvalidArgumentError unless it has 1 to max characters */
export function within(text: string, max: number): string {
  const trimmed = text.trim();
  const length = [...trimmed].length;
  if (length < 1 || length > max) throw new InvalidArgumentError(`It must have 1 to ${max} characters.`);
  return trimmed;
}

/** A name of 1 to 60 characters. @throws InvalidArgumentError also for characters that the API refuses in names */
export function name(text: string): string {
  const fault = nameFault(text);
  if (fault) throw new InvalidArgumentError(`It ${fault}.`);
  return within(text, 60);
}
