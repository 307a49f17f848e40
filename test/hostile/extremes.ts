/**
 * Extremes of Unicode, JSON and numbers, as written in a request. A fixed list: each has once broken a service.
 * (fuzz-values.ts has values for formats.)
 */
import { canaries } from "./fuzz-values.ts";

const { text, number } = canaries;
const bytes = (...between: number[]) => Buffer.from([0x22, 0x61, ...between, 0x62, 0x22]);

/** Invalid UTF-8, each inside a JSON string. */
export const malformed: Record<string, Buffer> = {
  "a lone continuation byte": bytes(0x80),
  "a byte that is never one": bytes(0xff),
  "an overlong NUL": bytes(0xc0, 0x80),
  "an overlong slash": bytes(0xc0, 0xaf),
  "an overlong slash of three bytes": bytes(0xe0, 0x80, 0xaf),
  "a character cut short": bytes(0xf0, 0x9f, 0xa4),
  "a high surrogate": bytes(0xed, 0xa0, 0x80),
  "a low surrogate": bytes(0xed, 0xbf, 0xbf),
  "a pair of surrogates": bytes(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80),
  "beyond the last character": bytes(0xf4, 0x90, 0x80, 0x80),
  "five bytes": bytes(0xf8, 0x88, 0x80, 0x80, 0x80),
  "UTF-16": Buffer.from('"ab"', "utf16le"),
};

/**
 * Texts, as values: some cannot be stored, some look like others, some have a meaning for the program that displays
 * them.
 */
export const texts: Record<string, string> = {
  NUL: `a\u0000${text}`,
  "a high surrogate alone": `${text}\ud800`,
  "a low surrogate alone": `\udfff${text}`,
  "surrogates in the wrong order": "\udc00\ud800",
  "a mark of byte order": "\ufeffab",
  "composed (NFC)": "\u00e9\u1e69",
  "decomposed (NFD)": "e\u0301s\u0323\u0307",
  "a ligature and full width (NFKC is another)": "\ufb01\uff21\u2460",
  "a heap of combining marks": `a${"\u0301\u0327\u0335".repeat(12)}`,
  "only combining marks": "\u0301\u0302",
  bidirectional: "\u202eabc\u202c\u2066x\u2069\u200f",
  "zero width": "\u200b\u200c\u200d\u2060\u180e",
  "only white space": " \u00a0\u2003\u3000",
  "line separators": "a\u2028b\u2029c\u0085d",
  "controls of C0 and C1": "\u0001\u0008\u001b[2J\u007f\u0080\u009b",
  "line ends": "a\r\nb\rc\nd\te",
  noncharacters: "\ufffe\uffff\ufdd0\u{1fffe}",
  "the last character": "\u{10ffff}\u{e000}\u{f0000}",
  "one of many characters": "👩‍👩‍👧‍👦🇩🇪🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "the replacement character": "\ufffd",
  "a dotted I and a sharp s": "İıẞß",
  Arabic: "\ufdfa\u0600",
  "the name of a prototype": "__proto__",
  "a constructor": "constructor",
  "a method": "toString",
  "nothing's name": "null",
  "a quoted quote": '\\"\\\\"\'`$$',
  "a template": "#{1}{{2}}<%= 3 %>%s%n%00",
  markup: `<script>1</script><!--&amp;&#0;]]>`,
  "a number": "9007199254740993",
  "a backslash of LIKE and tsquery": "100\\_% & | ! ( ) :* <->",
  empty: "",
};

/** JSON values as written; parsers may read some of them differently. */
export const values: Record<string, string> = {
  "more than there is": "1e400",
  "less than there is": "-1e400",
  "the greatest": "1.7976931348623157e308",
  "1e308": "1e308",
  "nearly nothing": "5e-324",
  "less than nearly nothing": "1e-400",
  "nothing below nothing": "-0",
  "nothing below nothing, with a fraction": "-0.0",
  "2^31": "2147483648",
  "-2^31 - 1": "-2147483649",
  "2^53 - 1": "9007199254740991",
  "2^53": "9007199254740992",
  "2^53 + 1": "9007199254740993",
  "2^63 - 1": "9223372036854775807",
  "2^63": "9223372036854775808",
  "2^64": "18446744073709551616",
  "-2^63 - 1": "-9223372036854775809",
  "400 digits": "7".repeat(400),
  "60,000 digits": "7".repeat(60_000),
  "400 digits after the point": `0.${"3".repeat(400)}`,
  "an exponent of many digits": `1e-${"9".repeat(50)}`,
  "a fraction where none is": "1.5",
  "a whole number with a point": "1.0",
  "a number of hundreds": "1e2",
  "a member of Object": `{"__proto__":{"${text}":1}}`,
  "a constructor's prototype": `{"constructor":{"prototype":{"${text}":1}},"toString":"${text}"}`,
  "a member twice": `{"a":${number},"a":"${text}"}`,
  "a length": `{"length":4294967295,"0":"${text}"}`,
  "many members": `{${Array.from({ length: 5_000 }, (_, each) => `"${text}${each}":0`).join(",")}}`,
  "many items": `[${"0,".repeat(30_000)}0]`,
  "a list of nothing": "[null]",
  "a date of years ago": '"-271821-04-20T00:00:00.000Z"',
  nothing: "null",
  yes: "true",
  "an empty object": "{}",
  "an empty list": "[]",
};

const nested = (levels: number, open: string, close: string) => `${open.repeat(levels)}1${close.repeat(levels)}`;
/** Nesting up to the maximum depth and beyond, with the expected result. (src/request/json-bounds.ts) */
const deepest = 32;
export const depths: [levels: number, read: boolean][] = [
  [deepest - 2, true],
  [deepest - 1, true],
  [deepest, false],
  [9_000, false],
];
export const deep = (levels: number): string[] => [nested(levels, "[", "]"), nested(levels, '{"a":', "}")];

/** For paths, queries and headers: bytes that their syntax allows and a client can send. */
export const encoded: string[] = [
  ...[
    "%00",
    "%ff",
    "%c0%80",
    "%c0%af",
    "%ed%a0%80",
    "%ed%b0%80",
    "%f0%9f%a4",
    "%f4%90%80%80",
    "%80",
    "%",
    "%g0",
    "%u0041",
  ],
  ...Object.values(texts)
    .filter((each) => each !== "" && each.isWellFormed())
    .map(encodeURIComponent),
  ...Object.values(values)
    .filter((each) => each.length < 500)
    .map(encodeURIComponent),
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "..%2f..%2fkeys", "%2e%2e", "%252e"],
  ...["🤖".repeat(50), "é".repeat(199), "\u202e"].map(encodeURIComponent),
];

/** For headers: Latin-1 without control characters, as Node's client sends. */
export const headers: string[] = [
  ...[
    "",
    " ",
    "é",
    "\u00ff\u0080",
    "__proto__",
    "constructor",
    "1e400",
    "-0",
    "-1",
    "9007199254740993",
    "9".repeat(400),
  ],
  ...["1, 2", '"', "\\", "%00", "null", "a".repeat(255), "a".repeat(256), "\u00ff".repeat(255), "~".repeat(8_000)],
];
