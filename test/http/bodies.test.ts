/** What a body may be: JSON that says one thing, in UTF-8, of at most 1 MB. (Part 4, "Common conventions".) */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
const mega = 1024 * 1024;
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

test.each([
  ["an array", "[]"],
  ["null", "null"],
  ["a number", "1"],
  ["a text", '"name"'],
  ["half an object", '{"name":'],
  ["an object and more", '{"name":"a"}{}'],
  ["a trailing comma", '{"name":"a",}'],
  ["single quotes", "{'name':'a'}"],
  ["NaN", '{"name":NaN}'],
  ["no UTF-8", Buffer.from([0x7b, 0x22, 0x6e, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ["UTF-8 cut short", Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xf0, 0x9f, 0xa4]), Buffer.from('"}')])],
  [
    "a surrogate in UTF-8",
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  ],
  ["an overlong NUL", Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0x80]), Buffer.from('"}')])],
  ["UTF-16", Buffer.from('{"name":"a"}', "utf16le")],
  ["deep nesting", `{"name":"a","x":${deep(32)}}`],
  ["nesting that would break recursion", `{"x":${"[".repeat(400_000)}${"]".repeat(400_000)}}`],
  ["objects that would break recursion", deep(150_000)],
])("a body of %s is refused as a whole, and nothing is written", async (_story, raw) => {
  const ada = await here.owner();
  expectRefusal(await ada.post("/bots", undefined, { raw }), "invalid_request", ["body"]);
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  expectRefusal(await ada.patch(`/bots/${bot.id}`, undefined, { raw }), "invalid_request", ["body"]);
  expect((await ada.get("/bots")).body.data).toEqual([bot]);
});

test("NUL and lone surrogates written as escapes are refused where they stand, and dropped where nobody looks", async () => {
  const ada = await here.owner();
  for (const written of ["\\u0000", "\\ud800", "\\udc00\\ud800"]) {
    expectRefusal(await ada.post("/bots", undefined, { raw: `{"name":"${written}"}` }), "invalid_request", [
      "body.name",
    ]);
    const unknown = `{"name":"Ada","other":"${written}","${written}":1}`;
    expectAnswer("create_bot", await ada.post("/bots", undefined, { raw: unknown }));
  }
});

test.each(["application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/merge-patch+json"])(
  "a body of type %s is read",
  async (type) => {
    const ada = await here.owner();
    const sent = { raw: '{"name":"Ada"}', headers: { "content-type": type } };
    expectAnswer("create_bot", await ada.post("/bots", undefined, sent));
  },
);

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonp",
  "json",
])("a body of type %s is refused", async (type) => {
  const ada = await here.owner();
  const sent = { raw: '{"name":"Ada"}', headers: { "content-type": type } };
  expectRefusal(await ada.post("/bots", undefined, sent), "invalid_request", ["headers.content-type"]);
  expect((await ada.get("/bots")).body.data).toEqual([]);
});

test("an empty body is an empty object, and where none is asked for anything goes", async () => {
  const ada = await here.owner();
  expectRefusal(await ada.post("/bots"), "invalid_request", ["body.name"]);
  expectRefusal(await ada.post("/bots", undefined, { raw: "" }), "invalid_request", ["body.name"]);
  const { body: endpoint } = await ada.post("/webhooks", {
    url: "https://receiver.example/",
    events: ["run.finished"],
  });
  for (const options of [{}, { raw: "" }, { raw: "{}" }, { raw: "not JSON" }, { raw: "[1]" }]) {
    expectAnswer("test_webhook", await ada.post(`/webhooks/${endpoint.id}/test`, undefined, options));
  }
});

test("a body may have 1 MB to the byte, and not one more, however it arrives", async () => {
  const ada = await here.owner();
  const ofSize = (size: number) => Buffer.from(JSON.stringify({ name: "Ada", pad: "" }).padEnd(size, " "));
  expectAnswer("create_bot", await ada.post("/bots", undefined, { raw: ofSize(mega) }));
  expectRefusal(await ada.post("/bots", undefined, { raw: ofSize(mega + 1) }), "payload_too_large");
  expectRefusal(await ada.post("/bots", undefined, { raw: ofSize(8 * mega) }), "payload_too_large");

  const chunked = async (size: number) => {
    const response = await fetch(`${here.api.url}/api/v1/bots`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${ada.key.text}`,
        "content-type": "application/json",
        "idempotency-key": `${size}`,
      },
      body: new Blob([ofSize(size)]).stream(),
      duplex: "half",
    } as RequestInit);
    await response.arrayBuffer();
    return response.status;
  };
  expect(await chunked(mega)).toBe(201);
  expect(await chunked(mega + 1)).toBe(413);
  expect((await ada.get("/bots")).body.data).toHaveLength(2);
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const)("a body in %s is read, and one that swells beyond 1 MB is too large", async (encoding, compress) => {
  const ada = await here.owner();
  const send = (raw: Buffer) => ada.post("/bots", undefined, { raw, headers: { "content-encoding": encoding } });
  expectAnswer("create_bot", await send(compress(json({ name: "Ada" }))));
  const bomb = compress(Buffer.alloc(8 * mega, " "));
  expect(bomb.length).toBeLessThan(mega);
  expectRefusal(await send(bomb), "payload_too_large");
  expectRefusal(await send(Buffer.from("not compressed")), "invalid_request", ["body"]);
});

test("an encoding that nobody here reads is refused by its header", async () => {
  const ada = await here.owner();
  for (const encoding of ["compress", "gzip, gzip", "none"]) {
    const sent = { raw: json({ name: "Ada" }), headers: { "content-encoding": encoding } };
    expectRefusal(await ada.post("/bots", undefined, sent), "invalid_request", ["headers.content-encoding"]);
  }
});

test("members that only a prototype would have are members like any other", async () => {
  const ada = await here.owner();
  for (const raw of [
    '{"__proto__":{"name":"Ada"}}',
    '{"constructor":{"prototype":{"name":"Ada"}}}',
    '{"toString":1}',
  ]) {
    expectRefusal(await ada.post("/bots", undefined, { raw }), "invalid_request", ["body.name"]);
  }
  expectRefusal(await ada.post("/bots", {}), "invalid_request", ["body.name"]);
  const query = await ada.get("/bots?__proto__=1&constructor=2&toString=3");
  expect(query.status).toBe(200);
});

test("a body on a read is read over, as long as it is no larger than a body may be", async () => {
  const ada = await here.owner();
  const { request } = await import("node:http");
  const ask = (size: number) =>
    new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${ada.key.text}`, "content-length": size };
      const sent = request(`${here.api.url}/api/v1/me`, { method: "GET", headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on("error", reject);
      sent.end(Buffer.alloc(size, "x"));
    });
  expect(await ask(10)).toBe(200);
  expect(await ask(mega + 1)).toBe(413);
});
