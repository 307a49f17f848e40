/**
 * Traces: which part of the service spent how long on what, from a request through the database to what it set off. This is
 * all that the service knows of them; OpenTelemetry is loaded where an endpoint is set, and there alone. (docs/observing.md,
 * "Traces".)
 */
import type { Config } from "../config.ts";

export type Kind = "server" | "client" | "consumer";
export type Attributes = Record<string, string | number | undefined>;

export type Span = {
  /** W3C Trace Context, for what goes on from here. */
  traceparent: string;
  /** @param error a fixed word, where it went wrong on our side or the other's; a refusal is none */
  end(attributes: Attributes, error?: string): void;
};

export type Tracer = {
  /** @param parent a traceparent as it came, from whomever; what is none begins a trace of its own */
  begin(name: string, kind: Kind, parent: string | undefined, attributes: Attributes): Span;
  /** Sends what has not been sent, if that can be done within seconds. */
  stop(): Promise<void>;
};

/** @param part which process it is: api, worker */
export async function openTracer(settings: Config["tracing"], part: string): Promise<Tracer | undefined> {
  if (!settings) return undefined;
  const { openTelemetry } = await import("./open-telemetry.ts");
  return openTelemetry(settings, part);
}
