/** Request bodies: strict JSON in UTF-8 of at most 1 MB. (docs/specification/conventions.md#bodies) */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
const max = 1024 * 1024;
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

test.each([
  ["an array", "[]"],
  ["null", "null"],
  ["a number", "1"],
  ["a string", '"name"'],
  ["half an object", '{"name":'],
  ["an object and more", '{"name":"a"}{}'],
  ["a trailing comma", '{"name":"a",}'],
  ["single quotes", "{'name':'a'}"],
  ["NaN", '{"name":NaN}'],
  ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0x6e, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ["truncated UTF-8", Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xf0, 0x9f, 0xa4]), Buffer.from('"}')])],
  [
    "a surrogate in UTF-8",
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  ],
  ["an overlong NUL", Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0x80]), Buffer.from('"}')])],
  ["UTF-16", Buffer.from('{"name":"a"}', "utf16le")],
  ["deep nesting", `{"name":"a","x":${deep(32)}}`],
  ["nesting that overflows a recursive parser", `{"x":${"[".repeat(32_000)}${"]".repeat(32_000)}}`],
  ["objects that overflow a recursive parser", deep(10_000)],
])("A body of %s returns invalid_request, and nothing is written", async (_story, raw) => {
  const ada = await here.owner();
  expectRefusal(await ada.post("/bots", undefined, { raw }), "invalid_request", ["body"]);
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  expectRefusal(await ada.patch(`/bots/${bot.id}`, undefined, { raw }), "invalid_request", ["body"]);
  expect((await ada.get("/bots")).body.data).toEqual([bot]);
});

test("Escaped NUL and lone surrogates are refused in known fields and dropped with unknown ones", async () => {
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
  "A body of type %s is accepted",
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
])("A body of type %s returns invalid_request", async (type) => {
  const ada = await here.owner();
  const sent = { raw: '{"name":"Ada"}', headers: { "content-type": type } };
  expectRefusal(await ada.post("/bots", undefined, sent), "invalid_request", ["headers.content-type"]);
  expect((await ada.get("/bots")).body.data).toEqual([]);
});

test("An empty body counts as an empty object, and an operation without a body ignores what is sent", async () => {
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

test("A body of 1 MB is accepted and one byte more is payload_too_large, with a length or chunked", async () => {
  const ada = await here.owner();
  const ofSize = (size: number) => Buffer.from(JSON.stringify({ name: "Ada", pad: "" }).padEnd(size, " "));
  expectAnswer("create_bot", await ada.post("/bots", undefined, { raw: ofSize(max) }));
  expectRefusal(await ada.post("/bots", undefined, { raw: ofSize(max + 1) }), "payload_too_large");
  expectRefusal(await ada.post("/bots", undefined, { raw: ofSize(8 * max) }), "payload_too_large");

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
  expect(await chunked(max)).toBe(201);
  expect(await chunked(max + 1)).toBe(413);
  expect((await ada.get("/bots")).body.data).toHaveLength(2);
});

test.each([
  ["of four bytes", "𝒳"],
  ["of three bytes", "字"],
  ["escaped as two surrogates", "\\ud835\\udcb3"],
  ["escaped", "\\u0444"],
])(
  "A message of 32,000 characters %s starts a run, and one character more is invalid_request",
  async (_form, written) => {
    const ada = await here.owner();
    const { body: bot } = await ada.post("/bots", { name: "Ada" });
    const start = (length: number) =>
      ada.post("/runs", undefined, { raw: `{"botId":"${bot.id}","message":"${written.repeat(length)}"}` });
    const run = expectAnswer("start_run", await start(32_000));
    const [said] = (await ada.get(`/runs/${run.id}/messages`)).body.data;
    expect(said.text).toBe(JSON.parse(`"${written}"`).repeat(32_000));
    expectRefusal(await start(32_001), "invalid_request", ["body.message"]);
  },
);

test("A hundred compressed or chunked bodies that arrive at once are all answered", async () => {
  const ada = await here.owner();
  const raw = gzipSync(json({ name: "Ada" }));
  await ada.get("/me"); // from here on the process knows the key, and begins to read every body at once
  const compressed = Array.from({ length: 100 }, () =>
    ada.post("/bots", undefined, { raw, headers: { "content-encoding": "gzip" } }),
  );
  expect(new Set((await Promise.all(compressed)).map(({ status }) => status))).toEqual(new Set([201]));
});

test("A batch of 1 MB is accepted and one byte more is payload_too_large", async () => {
  const ada = await here.owner();
  const ofSize = (size: number) => ({
    raw: JSON.stringify({ operations: [{ method: "POST", path: "/bots", body: { name: "Ada" } }] }).padEnd(size, " "),
  });
  expect((await ada.post("/batch", undefined, ofSize(max))).body.results).toMatchObject([{ status: 201 }]);
  expectRefusal(await ada.post("/batch", undefined, ofSize(max + 1)), "payload_too_large");
});

test("A body may contain 1,000 values and a batch 5,000; one more returns invalid_request", async () => {
  const ada = await here.owner();
  const holding = (values: number, rest: object) => ({ ...rest, other: Array(values).fill({}) });
  // Beside the array's values count the object and its two members; in a batch also the operation and its two.
  expectAnswer("create_bot", await ada.post("/bots", holding(997, { name: "Ada" })));
  expectRefusal(await ada.post("/bots", holding(998, { name: "Ada" })), "invalid_request", ["body"]);
  const operations = [{ method: "GET", path: "/bots" }];
  expect((await ada.post("/batch", holding(4_994, { operations }))).status).toBe(200);
  expectRefusal(await ada.post("/batch", holding(4_995, { operations })), "invalid_request", ["body"]);
  for (const each of ['""', "0", "[]", '{"a":0}']) {
    const raw = `{"name":"Ada","other":[${Array(1_000).fill(each).join(",")}]}`;
    expectRefusal(await ada.post("/bots", undefined, { raw }), "invalid_request", ["body"]);
  }
  // Characters within a string are not counted as values.
  expectAnswer("create_bot", await ada.post("/bots", { name: "Ada", other: '[{,"\\'.repeat(1_000) }));
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const)("A body in %s is decoded, and payload_too_large beyond 1 MB when decoded", async (encoding, compress) => {
  const ada = await here.owner();
  const send = (raw: Buffer) => ada.post("/bots", undefined, { raw, headers: { "content-encoding": encoding } });
  expectAnswer("create_bot", await send(compress(json({ name: "Ada" }))));
  expectAnswer("create_bot", await send(compress(json({ name: "Ada" }).toString().padEnd(max, " "))));
  expectRefusal(
    await send(
      compress(
        json({ name: "Ada" })
          .toString()
          .padEnd(max + 1, " "),
      ),
    ),
    "payload_too_large",
  );
  const bomb = compress(Buffer.alloc(64 * max, " "));
  expect(bomb.length).toBeLessThan(max);
  expectRefusal(await send(bomb), "payload_too_large");
  expectRefusal(await send(Buffer.from("not compressed")), "invalid_request", ["body"]);
});

test("An unsupported content-encoding returns invalid_request for its header", async () => {
  const ada = await here.owner();
  for (const encoding of ["compress", "gzip, gzip", "none"]) {
    const sent = { raw: json({ name: "Ada" }), headers: { "content-encoding": encoding } };
    expectRefusal(await ada.post("/bots", undefined, sent), "invalid_request", ["headers.content-encoding"]);
  }
});

test("Members named like members of a prototype are ordinary unknown members", async () => {
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

test("A body on GET is ignored up to 1 MB, and payload_too_large beyond", async () => {
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
  expect(await ask(max + 1)).toBe(413);
});
