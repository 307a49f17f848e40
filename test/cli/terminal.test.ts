/** Text of others reaches a terminal without characters that control it. */
import { spawnSync } from "node:child_process";
import { escapeJson, oneLine, safeJson } from "../../src/terminal.ts";

const clipboard = "\u001b]52;c;ZXZpbA==\u0007";
const dangerous = [
  clipboard,
  "\u009b31m",
  "\u202egnp.exe",
  "\u2066",
  "\u2028",
  "\u{e0041}",
  "\u00ad",
  "\ud800",
  "\r",
  "\b",
  "\u007f",
];
const harmless = ["Łódź, 北京, नमस्ते", "👩‍👩‍👧", "می‌خواهم"];

const printed = (text: string) =>
  spawnSync(process.execPath, ["--input-type=module", "--eval", program, text], { encoding: "utf8" }).stdout;
const terminal = new URL("../../src/terminal.ts", import.meta.url).href;
const program = `const { print } = await import(${JSON.stringify(terminal)}); await print(process.argv[1]);`;

test("print replaces what a terminal interprets, and keeps lines, tabs and joiners", () => {
  expect(printed(`a\tb\n${dangerous.join("")}|${harmless.join("|")}`)).toMatch(
    new RegExp(`^a\\tb\\n[^\\p{Cc}\\p{Zl}\\u202e\\u2066]*\\|${harmless.join("\\|")}$`, "u"),
  );
});

test.each(dangerous)("oneLine and safeJson leave no %j", (text) => {
  expect(oneLine(`a${text}b`)).not.toContain(text.slice(0, 1));
  const json = safeJson({ text });
  expect(json).not.toMatch(/[\p{Cc}\p{Zl}\p{Cs}]|[\u00ad\u202e\u2066\u{e0041}]/u);
  expect(JSON.parse(json)).toEqual({ text });
});

test.each(harmless)("oneLine and safeJson keep %s", (text) => {
  expect(oneLine(text)).toBe(text);
  expect(safeJson(text)).toBe(JSON.stringify(text));
});

test("oneLine replaces line breaks and tabs; escapeJson keeps the line break after a log entry", () => {
  expect(oneLine("a\nb\tc")).toBe("a\ufffdb\ufffdc");
  expect(escapeJson('{"model":"\u009b"}\n')).toBe('{"model":"\\u009b"}\n');
});
