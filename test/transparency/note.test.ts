/** Signed notes, cosignatures and checkpoints: known signatures, and forms that are refused. */

import { readVerifier, signerFrom } from "../../src/secrets/note-key.ts";
import { formatCheckpoint, isSignedBy, readCheckpoint } from "../../src/transparency/checkpoint.ts";
import { cosign, readNote, signatureOf, signNote } from "../../src/transparency/note.ts";

const seed = Buffer.alloc(32, 7);
const root = Buffer.alloc(32, 1);

/** The example in the documentation of Go's package note. */
const published = {
  seed: Buffer.from("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz", "base64").subarray(1),
  key: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  line: "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n",
};

test("a key and its signature equal the output of Go's package note", () => {
  const signer = signerFrom("PeterNeumann", 1, published.seed);
  expect(signer.text).toBe(published.key);
  const note = signNote(published.text, signer);
  expect(note).toBe(`${published.text}\n${published.line}`);
  expect(signatureOf(readNote(note), readVerifier(published.key))).toBeDefined();
});

test("the cosignature in the specification of C2SP has the key hash, time and length that we read", () => {
  const line =
    "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZ\\nqhf5nNo0xUe+mbIUBkBIfZ+qnA==";
  const [signature] = readNote(`text\n\n${line.replace("\\n", "")}\n`).signatures;
  expect(signature?.id.toString("hex")).toBe("8d66cf3f");
  expect(signature?.bytes.readBigUInt64BE()).toBe(1_679_315_147n);
});

describe("a signature does not count", () => {
  const log = signerFrom("example.com/log", 1, seed);
  const note = signNote("one\n", log);
  test.each([
    ["of another text", note.replace("one", "two"), log.text],
    ["of another key", note, signerFrom("example.com/log", 1, Buffer.alloc(32, 8)).text],
    ["of another name", note, signerFrom("example.com/other", 1, seed).text],
    ["of a key of another kind", note, signerFrom("example.com/log", 4, seed).text],
  ])("%s", (_, given, key) => {
    expect(signatureOf(readNote(note), log)).toBeDefined();
    expect(signatureOf(readNote(given), readVerifier(key))).toBeUndefined();
  });
});

test("a cosignature covers its time and the text", () => {
  const witness = signerFrom("witness.example", 4, seed);
  const line = cosign("one\n", witness, 1_700_000_000);
  const isValid = (note: string) => signatureOf(readNote(note), witness) !== undefined;
  expect(isValid(`one\n\n${line}`)).toBe(true);
  expect(isValid(`two\n\n${line}`)).toBe(false);
  const bytes = Buffer.from(line.split(" ")[2] ?? "", "base64");
  bytes[11] = (bytes[11] ?? 0) ^ 1;
  const altered = `— witness.example ${bytes.toString("base64")}\n`;
  expect(isValid(`one\n\n${altered}`)).toBe(false);
  expect(isValid(`one\n\n${line}${altered}`)).toBe(true);
  expect(isValid(`one\n\n${altered}${line}`)).toBe(false); // one verification for each key
});

test.each([
  ["without a signature", "one\n"],
  ["without a line break at the end", signNote("one\n", signerFrom("a", 1, seed)).trimEnd()],
  [
    "with over 100 signatures",
    signNote("one\n", signerFrom("a", 1, seed)).replace(/\n\n(.*\n)/, (_, line) => `\n\n${line.repeat(101)}`),
  ],
  ["with a damaged signature", "one\n\n— a AAAA\n"],
  ["with a signature of another form", "one\n\n- a AAAAAAAA\n"],
])("a note %s is refused", (_, note) => {
  expect(() => readNote(note)).toThrow();
});

test.each([
  ["with another hash", published.key.replace("c74f20a3", "c74f20a4")],
  ["with a shorter key", published.key.slice(0, -4)],
  ["of an unknown kind", published.key.replace("+AR", "+BR")],
  ["without a name", published.key.replace("PeterNeumann", "")],
])("a public key %s is refused", (_, text) => {
  expect(() => readVerifier(text)).toThrow(/^must be/);
});

test("a checkpoint is read as it was written, and must be signed for its own name", () => {
  const log = signerFrom("example.com/log", 1, seed);
  const text = formatCheckpoint({ origin: "example.com/log", size: 12, root });
  const read = readCheckpoint(signNote(text, log));
  expect(read).toMatchObject({ origin: "example.com/log", size: 12, root });
  expect(isSignedBy(read, [log])).toBe(true);
  const foreign = readCheckpoint(signNote(formatCheckpoint({ origin: "example.com/x", size: 12, root }), log));
  expect(isSignedBy(foreign, [log])).toBe(false);
});

test.each([
  "x\n-1\nAAAA\n",
  "x\n01\n",
  "\n1\n",
  `x\n1\n${Buffer.alloc(31).toString("base64")}\n`,
  "x\n9007199254740993\n",
])("the text %j is no checkpoint", (start) => {
  const text = start.split("\n").length > 3 ? start : `${start}${root.toString("base64")}\n`;
  expect(() => readCheckpoint(signNote(text, signerFrom("x", 1, seed)))).toThrow();
});
