/** A collector of traces: a real OTLP/HTTP receiver on loopback. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type Collected = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  kind: number;
  /** 2 means error. */
  status: number | undefined;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
  ms: number;
};

export type Collector = { url: string; spans: Collected[]; said: string[]; close(): Promise<void> };

type Attribute = { key: string; value: Record<string, unknown> };
const read = (attributes: Attribute[] = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export async function startCollector(): Promise<Collector> {
  const spans: Collected[] = [];
  const said: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    said.push(body);
    if (request.url === "/v1/traces" && request.method === "POST") {
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
        for (const { spans: sent } of scopeSpans) {
          for (const span of sent) {
            const ns = BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano);
            spans.push({
              ...span,
              parentSpanId: span.parentSpanId ?? "",
              status: span.status?.code,
              attributes: read(span.attributes),
              resource: read(resource.attributes),
              ms: Number(ns) / 1e6,
            });
          }
        }
      }
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    said,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
