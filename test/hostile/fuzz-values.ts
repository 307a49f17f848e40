/** Hostile JSON values, as text. */

/** Texts that no refusal may echo. They occur only in hostile values. */
export const canaries = { text: "kanarienvogel", number: "471100815", id: "c0ffee00-4711-7000-8000-c0ffee004711" };
const { text, number, id } = canaries;

export type Members = [name: string, value: string][];

const lines = (written: string) =>
  written
    .trim()
    .split("\n")
    .map((line) => line.trim());
const nested = (levels: number) => `${'{"a":['.repeat(levels)}1${"]}".repeat(levels)}`;

/** For every field. */
export const values: string[] = [
  ...["null", "true", "{}", "[]", "[[]]", '""', '" "', "0", "-1", "-0", "0.5", "1e-400", "5e-324", "1e308", "1e400"],
  ...["-1e400", "9007199254740993", "1".repeat(400), number, `-${number}`, `${number}.5`, `"${number}"`],
  ...lines(`
    "${text}"
    ["${text}"]
    [${number}]
    [null, "${text}", {}]
    {"${text}": "${text}"}
    {"__proto__": {"${text}": 1}}
    {"length": ${number}}
    "${id}"`),
  ...[nested(10), nested(40), nested(4_000), "[".repeat(9) + "]".repeat(9), `"${text.repeat(10_000)}"`],
];

/** For fields of type text: characters that cannot be stored, and characters with a meaning in SQL, HTML or JSON. */
export const texts: string[] = [
  ...lines(String.raw`
    "${text}\u0000"
    "\u0000"
    "\ud800${text}"
    "${text}\udfff\ud800"
    "\u202e${text}\ufeff\uffff"
    "\u0001\u001b[31m${text}\u007f"
    "${text}'; drop table app.runs; --"
    "$${text}$ \\x00 \\u0000 %s%n $\u007b${text}}"
    "<b>${text}</b>\r\nset-cookie: ${text}=1"`),
  `"${"𝒳".repeat(40_000)}"`,
];

/** For fields with a format. */
export const ofFormat: Record<string, string[]> = {
  uuid: lines(String.raw`
    "${id.toUpperCase()}"
    "{${id}}"
    "${id} "
    "${id}\n"
    "${id}\u0000"
    "${id.replaceAll("-", "")}"
    "00000000-0000-0000-0000-000000000000"
    "ffffffff-ffff-ffff-ffff-ffffffffffff"`),
  "date-time": lines(String.raw`
    "0000-01-01T00:00:00Z"
    "-004711-01-01T00:00:00Z"
    "+294277-01-01T00:00:00Z"
    "0001-01-01T00:00:00+14:00"
    "9999-12-31T23:59:59.999999999-23:59"
    "2027-02-30T00:00:00Z"
    "2027-01-01T24:00:00Z"
    "2027-01-01T00:00:60Z"
    "2027-01-01T00:00:00.${number}${number}Z"
    "2027-01-01T00:00:00+24:00"
    "2027-01-01"
    "infinity"
    "now"
    "2027-01-01T00:00:00Z\u0000"`),
  uri: lines(String.raw`
    "http://${text}/"
    "HTTPS://${text}.example:0/#%00"
    "https://${text}@a.example/"
    "https://127.1/${text}"
    "https://[::ffff:10.0.0.1]/"
    "https://${text}.localhost"
    "https://xn--${text}/"
    "https://a:99999/"
    "https://"
    "https:\\\\${text}"
    "javascript:${text}"
    "https://a.example/\n${text}"
    "https://a.example/\u0000${text}"
    "https://a.example/\ud800${text}"
    "https://${"a".repeat(300)}.example/"`),
  email: lines(String.raw`
    "${text}@"
    "@${text}"
    "${text}@a.example\r\nbcc: b@b.example"
    "\"${text}\"@a.example"
    "${text}@ä.example"
    "${text}\u0000@a.example"
    "${text}\ud800@a.example"
    "${"a".repeat(250)}@a.example"
    "${text}@a.example, b@b.example"`),
};

/** Unknown members. */
export const unknownMembers: Members = [
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", "toJSON"].map(
    (name): Members[number] => [name, `{"${text}":"${text}"}`],
  ),
  ["organisationId", `"${id}"`],
  ["organisation_id", `"${id}"`],
  ["id", `"${id}"`],
  ["createdBy", `"${id}"`],
  ["role", '"owner"'],
  ["\0", `"${text}"`],
  ["\ud800", `"${text}"`],
  ["", `"${text}"`],
  [text.repeat(2_000), number],
  ["deep", nested(20)],
];
