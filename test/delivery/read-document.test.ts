/** Documents at addresses that strangers choose. Further failures: test/mcp/oauth-refusals.test.ts. */
import { parseRanges } from "../../src/delivery/address.ts";
import { createDocumentReader, type DocumentReaderSettings } from "../../src/delivery/read-document.ts";
import { startReceiver } from "../support/receiver.ts";

async function reading(url: string, settings: Partial<DocumentReaderSettings> = {}) {
  const reader = createDocumentReader({ allowed: [], ...settings });
  try {
    return await reader.read(url);
  } finally {
    await reader.close();
  }
}

test.each(["10.0.0.1", "169.254.169.254", "127.0.0.1"])("a name with the address %s is refused", async (address) => {
  const resolveName = async () => [
    { address: "93.184.215.14", family: 4 },
    { address, family: 4 },
  ];
  expect(await reading("https://client.example/c.json", { resolveName })).toEqual({ failure: "address" });
  expect(await reading(`https://${address}/c.json`)).toEqual({ failure: "address" });
});

test("a name without an address, and a look-up that does not end, are failures", async () => {
  expect(await reading("https://client.example/c.json", { resolveName: async () => [] })).toEqual({ failure: "dns" });
  const resolveName = () => new Promise<never>(() => {});
  expect(await reading("https://client.example/c.json", { resolveName, timeoutMs: 50 })).toEqual({
    failure: "timeout",
  });
});

test("a certificate of an unknown authority is refused", async () => {
  const receiver = await startReceiver();
  const allowed = parseRanges("127.0.0.0/8");
  expect(await reading(receiver.url, { allowed })).toEqual({ failure: "transport" });
  expect(await reading(receiver.url, { allowed, extraCa: receiver.ca })).toEqual({ text: "{}" });
  expect(receiver.received).toHaveLength(1);
  await receiver.close();
});
