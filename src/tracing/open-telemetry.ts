/** Tracing by OpenTelemetry: spans are batched for 1 s and sent by OTLP over HTTP. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Config } from "../config.ts";
import { version } from "../version.ts";
import type { Kind, Span, Tracer } from "./spans.ts";

const kinds: Record<Kind, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};
const propagator = new W3CTraceContextPropagator();
const stopTimeoutMs = 3_000;

export function openTelemetry({ serviceName, ratio }: NonNullable<Config["tracing"]>, part: string): Tracer {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": serviceName,
      "service.version": version,
      "service.instance.id": randomUUID(),
      "botstead.part": part,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: 1_000 })],
  });
  const tracer = provider.getTracer("botstead", version);
  return {
    begin(name, kind, parent, attributes): Span {
      const context = propagator.extract(ROOT_CONTEXT, { traceparent: parent }, defaultTextMapGetter);
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
      const carrier = { traceparent: "" };
      propagator.inject(trace.setSpan(context, span), carrier, defaultTextMapSetter);
      return {
        ...carrier,
        end(last, error) {
          for (const [key, value] of Object.entries(last)) if (value !== undefined) span.setAttribute(key, value);
          if (error) span.setAttribute("error.type", error).setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    stop: () => Promise.race([provider.shutdown().catch(() => {}), sleep(stopTimeoutMs, undefined, { ref: false })]),
  };
}
