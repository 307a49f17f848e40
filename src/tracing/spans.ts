/** Traces of requests to runs and deliveries, independent of OpenTelemetry (docs/observing.md#traces). */
export type Kind = "server" | "client" | "consumer";
export type Attributes = Record<string, string | number | undefined>;

export type Span = {
  /** W3C Trace Context, for child spans. */
  traceparent: string;
  /** @param error a fixed word for a fault of this process or of the other side; a refusal is no fault */
  end(attributes: Attributes, error?: string): void;
};

export type Tracer = {
  /** @param parent a traceparent, not validated. An invalid traceparent starts a new trace */
  begin(name: string, kind: Kind, parent: string | undefined, attributes: Attributes): Span;
  /** Sends pending spans, for at most 3 s. */
  stop(): Promise<void>;
};
