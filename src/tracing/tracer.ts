/** Opens the tracer. OpenTelemetry is only loaded if an endpoint is set. */
import type { Config } from "../config.ts";
import type { Tracer } from "./spans.ts";

/** @param part the process: api, worker */
export async function openTracer(settings: Config["tracing"], part: string): Promise<Tracer | undefined> {
  if (!settings) return undefined;
  const { openTelemetry } = await import("./open-telemetry.ts");
  return openTelemetry(settings, part);
}
