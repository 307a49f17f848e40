/** Settings of metrics, traces and the log. */
import { z } from "zod";
import { httpUrl, port } from "./kinds.ts";

export const observabilitySettings = z.object({
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl,
  OTEL_SDK_DISABLED: z.stringbool("must be true or false").default(false),
  OTEL_SERVICE_NAME: z.string().min(1).default("botstead"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number("must be from 0 to 1")
    .min(0, "must be from 0 to 1")
    .max(1, "must be from 0 to 1")
    .default(1),
  LOG_LEVEL: z
    .enum(["silent", "fatal", "error", "warn", "info", "debug", "trace"], "must be a level of pino, as info")
    .default("info"),
});

export type ObservabilityConfig = {
  /** Address of this process's metrics endpoint. Unset: none. */
  metrics: { host: string; port: number } | undefined;
  /** Unset: no traces. The exporter reads its own endpoint variables. `ratio` applies to traces that start here. */
  tracing: { serviceName: string; ratio: number } | undefined;
  logLevel: string;
};

export function observabilityConfig(value: z.infer<typeof observabilitySettings>): ObservabilityConfig {
  const endpoint = value.OTEL_EXPORTER_OTLP_ENDPOINT ?? value.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  return {
    metrics: value.METRICS_PORT === undefined ? undefined : { host: value.METRICS_HOST, port: value.METRICS_PORT },
    tracing:
      endpoint && !value.OTEL_SDK_DISABLED
        ? { serviceName: value.OTEL_SERVICE_NAME, ratio: value.OTEL_TRACES_SAMPLER_ARG }
        : undefined,
    logLevel: value.LOG_LEVEL,
  };
}
