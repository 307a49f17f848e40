/**
 * Malformed bodies: longer or shorter than declared, endless, not allowed, or compression bombs. None has an effect,
 * none exceeds the request time-out, and none fills the memory.
 */
import { randomUUID } from "node:crypto";
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expectRefusal } from "../support/answers.ts";
import { howMany, reportCounts } from "../support/reliability.ts";
import { targetOfFile } from "./target.ts";
import { last, speak } from "./wire.ts";

const at = targetOfFile();

const mega = 1024 * 1024;
/** Maximum growth of the process in MB while it decompresses a dozen bodies at a time. */
const room = 150;
const body = '{"name":"Ada"}';

function head(frame: string, { method = "POST", path = "/bots", key = randomUUID() as string } = {}): string {
  const usual = `host: a\r\n${at.caller.authorization}content-type: application/json\r\nidempotency-key: ${key}\r\n`;
  return `${method} /api/v1${path} HTTP/1.1\r\n${usual}${frame}\r\n`;
}

test("a body that differs from its content-length is refused, at once or after the time-out, and has no effect", async () => {
  const before = performance.now();
  const huge = ["1048577", "9007199254740993", "18446744073709551615"];
  const variants: Record<string, string> = {
    ...Object.fromEntries(huge.map((length) => [length, head(`content-length: ${length}\r\n`) + body])),
    "expected first": head("content-length: 1048577\r\nexpect: 100-continue\r\n"),
    "chunks beyond 1 MB": `${head("transfer-encoding: chunked\r\n")}200000\r\n${" ".repeat(mega + 1)}`,
    "chunks without an end": `${head("transfer-encoding: chunked\r\n")}${`1000\r\n${" ".repeat(4096)}\r\n`.repeat(300)}`,
  };
  const wrong: string[] = [];
  await Promise.all(
    Object.entries(variants).map(async ([name, bytes]) => {
      const { replies, continues, closed } = await speak(at.target.port, bytes);
      try {
        // No 100 Continue for a body that would be refused.
        expect({ answers: replies.length, continues, closed }).toEqual({ answers: 1, continues: 0, closed: true });
        for (const reply of replies) expectRefusal(reply, "payload_too_large");
      } catch (error) {
        wrong.push(`${name}: ${(error as Error).message}`);
      }
    }),
  );
  const tookMs = performance.now() - before;
  // Shorter than declared: the rest is not a request. Longer: the body never ends, and the peer gets a response in
  // time.
  const others: [bytes: string, statuses: string][] = [
    [`${head("content-length: 13\r\n")}${body}${last}`, "400,400"],
    [head("") + last, "400,200"],
    [head("content-length: 14\r\n", { method: "GET", path: "/me" }) + body + last, "200,200"],
  ];
  for (const [bytes, expected] of others) {
    const statuses = String((await speak(at.target.port, bytes)).replies.map(({ status }) => status));
    if (statuses !== expected) wrong.push(`${statuses} in the place of ${expected}`);
  }
  const made = await at.caller.bots();
  reportCounts("bodies with a wrong Content-Length", {
    acknowledged: Object.keys(variants).length + others.length - wrong.length,
    lost: 0,
    doubled: made.length,
    unexpected: wrong.length + Number(tookMs >= 9_000),
  });
  expect(wrong).toEqual([]);
  expect(tookMs).toBeLessThan(9_000); // before the 30 s that a request may take
  expect(made).toEqual([]);
});

test("compression bombs are refused before they expand, in every encoding, nested, and a dozen at a time", async () => {
  // A single fully expanded body would exceed the bound for all of them.
  const spaces = Buffer.alloc(howMany(192, 512) * mega, " ");
  const gzipped = gzipSync(spaces);
  const twice = gzipSync(gzipped);
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  const bombs: [encoding: string, packed: Uint8Array, code: "payload_too_large" | "invalid_request"][] = [
    ["gzip", gzipped, "payload_too_large"],
    ["GZIP", gzipped, "payload_too_large"],
    ["deflate", deflateSync(spaces), "payload_too_large"],
    ["br", brotliCompressSync(spaces, brotli), "payload_too_large"],
    ["gzip", gzipSync(gzipSync(body)), "invalid_request"], // decompressed once, it is not JSON
    ["gzip, gzip", twice, "invalid_request"],
    ["identity, gzip", gzipSync(body), "invalid_request"],
    ["x-gzip", gzipSync(body), "invalid_request"],
    ["zstd", zstdCompressSync(spaces), "invalid_request"],
    ["gzip", gzipSync(body).subarray(0, -6), "invalid_request"],
    ["br", Buffer.from("not packed at all"), "invalid_request"],
  ];
  const before = await at.target.weight();
  const peakOf = at.target.watchPeak();
  const faults: string[] = [];
  const times = howMany(3, 20);
  for (let time = 0; time < times; time += 1) {
    await Promise.all(
      bombs.map(async ([encoding, packed, code]) => {
        const bytes = Buffer.concat([
          Buffer.from(head(`content-encoding: ${encoding}\r\ncontent-length: ${packed.length}\r\n`)),
          packed,
        ]);
        const { replies } = await speak(at.target.port, bytes, { replies: 1 });
        const [reply] = replies;
        if (reply?.body.error?.code !== code) faults.push(`${encoding}: ${reply?.status} ${reply?.text}`);
      }),
    );
  }
  const peak = peakOf() ?? (await at.target.weight()).megabytes;
  const grownBy = peak - before.megabytes;
  const made = await at.caller.bots();
  reportCounts("compression bombs", {
    acknowledged: bombs.length * times - faults.length,
    lost: 0,
    doubled: made.length,
    unexpected: faults.length + Number(grownBy >= room),
    note: `memory ${Math.round(before.megabytes)} MB, at most ${Math.round(peak)}`,
  });
  expect(faults).toEqual([]);
  expect(grownBy).toBeLessThan(room);
  expect(made).toEqual([]);
});
