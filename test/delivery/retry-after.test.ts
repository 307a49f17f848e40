/** Retry-After of receivers, within its limits. */
import { parseRanges } from "../../src/delivery/address.ts";
import { createPoster } from "../../src/delivery/post.ts";
import { retryAfterSeconds } from "../../src/delivery/retry-after.ts";
import { type Respond, startRawReceiver, startReceiver } from "../support/receiver.ts";

const now = Date.parse("1994-11-06T08:49:37Z");

test.each<[header: string, seconds: number]>([
  ["120", 120],
  ["0", 0],
  ["  7 ", 7],
  ["0060", 60],
  ["Sun, 06 Nov 1994 08:50:37 GMT", 60],
  ["Sunday, 06-Nov-94 08:50:37 GMT", 60],
  ["Sun Nov  6 08:50:37 1994", 60],
])("retryAfterSeconds of %p is %d", (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds);
});

test("retryAfterSeconds rounds the time until a date up to whole seconds", () => {
  expect(retryAfterSeconds("Sun, 06 Nov 1994 08:50:37 GMT", now + 1)).toBe(60);
  expect(retryAfterSeconds("Sun, 06 Nov 1994 08:50:37 GMT", now + 999)).toBe(60);
  expect(retryAfterSeconds("Sun, 06 Nov 1994 08:50:37 GMT", now + 1_000)).toBe(59);
});

test.each(["Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"])(
  "retryAfterSeconds of the past date %p is 0",
  (header) => {
    expect(retryAfterSeconds(header, now)).toBe(0);
  },
);

test.each(["86401", "9".repeat(15_000), "Fri, 31 Dec 9999 23:59:59 GMT"])(
  "retryAfterSeconds of %.40p is the maximum of one hour",
  (header) => {
    expect(retryAfterSeconds(header, now)).toBe(3_600);
  },
);

test.each<string | string[] | undefined>([
  undefined,
  "",
  "-1",
  "+60",
  "1e3",
  "0x10",
  "60.5",
  "60 seconds",
  "Infinity",
  "NaN",
  "٦٠",
  "tomorrow",
  "1994-11-06T08:50:37Z",
  "Sun, 06 Nov 1994 08:50:37 +0100",
  "Sun, 99 Nov 1994 99:99:99 GMT",
  ["60", "120"],
])("retryAfterSeconds of %p is null", (header) => {
  expect(retryAfterSeconds(header, now)).toBeNull();
});

describe("Retry-After of a response", () => {
  async function outcomeOf(respond: Respond) {
    const receiver = await startReceiver({ respond });
    const poster = createPoster({ allowed: parseRanges("127.0.0.0/8, ::1/128"), extraCa: receiver.ca });
    try {
      return await poster.post({ url: receiver.url, headers: {}, body: "{}" });
    } finally {
      await poster.close();
      await receiver.close();
    }
  }

  test.each([503, 429, 500, 404, 410, 302])("with status %i is returned", async (status) => {
    const outcome = await outcomeOf((_request, response) => response.writeHead(status, { "retry-after": "120" }).end());
    expect(outcome).toMatchObject({ statusCode: status, retryAfterSeconds: 120 });
  });

  test("is null if it is missing, repeated or malformed", async () => {
    for (const value of [undefined, ["60", "120"], "soon"]) {
      const outcome = await outcomeOf((_request, response) => {
        if (value) response.setHeader("retry-after", value);
        response.writeHead(503).end();
      });
      expect(outcome).toMatchObject({ statusCode: 503, retryAfterSeconds: null });
    }
  });

  test("with a success is null, with any body", async () => {
    for (const body of ["ok", "a".repeat(65 * 1024)]) {
      const outcome = await outcomeOf((_request, response) =>
        response.writeHead(200, { "retry-after": "120" }).end(body),
      );
      expect(outcome).toMatchObject({ statusCode: 200, retryAfterSeconds: null });
    }
  });

  test("is returned if the body is cut off", async () => {
    const receiver = await startRawReceiver((socket) => {
      socket.write("HTTP/1.1 503 Busy\r\nretry-after: 120\r\ncontent-length: 100\r\n\r\nhalf", () => socket.destroy());
    });
    const poster = createPoster({ allowed: parseRanges("127.0.0.0/8, ::1/128"), extraCa: receiver.ca });
    const outcome = await poster.post({ url: receiver.url, headers: {}, body: "{}" });
    expect(outcome).toMatchObject({ statusCode: 503, failure: "transport", retryAfterSeconds: 120 });
    await poster.close();
    await receiver.close();
  });
});
