/**
 * What is wrong with the value of a field, in a sentence for people. The API's messages are for programs: they have no subject,
 * and some name types and other fields of the contract.
 */

const notAccepted = "This value is not accepted.";
const chooseOne = "Choose one of the list.";
const notInvisible = "invisible characters";

/** Messages whose words are for programs, and their sentences. */
const sentences: [message: RegExp, sentence: string][] = [
  [/^is required|^must be given/, "This is required."],
  [/^must name at least one (\w+)$/, "Choose at least one $1."],
  [/^must have at least 1 entries$/, "Choose at least one."],
  [/^must be an integer(.*)/, "This must be a whole number$1."],
  [/^must be a UUID$|^must be [a-z_]+(?:\.[a-z_]+)?(?:, [a-z_.]+)* or [a-z_.]+$/, chooseOne],
  [/GET \/models/, "This model is not available. Choose another."],
  [
    /^must be a cron expression/,
    "This is no schedule of five fields, or never occurs. “0 9 * * 1-5” is each weekday at 09:00.",
  ],
  [/IANA/, "Choose a time zone of the list, for example Europe/Berlin."],
  [/ISO 8601|^must be in the years/, "This is no date with a time."],
  [/^must be later than since$/, "This must be later than the beginning."],
  [/^must be earlier than until$/, "This must be earlier than the end."],
  [/what is still kept$/, "Nothing of this time is still stored. Choose a later time."],
  [/^must hold 1 to (\d+) blocks/, "Write at most $1 addresses."],
  [/U\+0000/, "This has a character that cannot be stored."],
  [/control characters, line breaks/, `This must be one line without ${notInvisible}.`],
  [/control characters/, `This must not have ${notInvisible}.`],
  [/label|host name of more/, "The name of the host is not valid."],
  [/fragment/, "This must not have a part after #."],
  [/^must be above 0, or null$/, "This must be above 0, or empty."],
  [/^must be at most 7 days before/, "The period must have at most 7 days."],
  [/^must be 0 to (\d+), or for money.*/, "This must be 0 to $1. Only an amount of money may be larger or empty."],
  [/^must be in the future with a trial/, "A trial needs a time in the future. Other states have none."],
  [/contract|other fields|^must be (?:text|a list|an object|null|of another type)$|the name of a limit/, notAccepted],
];

/** @param message of the API, such as "must have 1 to 60 characters" */
export function fieldFault(message: string): string {
  const found = sentences.find(([words]) => words.test(message));
  const [part = ""] = found?.[0].exec(message) ?? [];
  const sentence = found ? part.replace(found[0], found[1]) : `This ${message}`;
  return grouped(sentence.endsWith(".") ? sentence : `${sentence}.`);
}

const grouped = (text: string) => text.replaceAll(/\b\d{5,}\b/g, (digits) => Number(digits).toLocaleString());
