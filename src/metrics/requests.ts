/**
 * Request metrics by route, method, status and error code. A route is the path template of an operation or page; any other
 * path is "unknown", so that callers cannot create label values.
 */
import { Counter, Gauge, Histogram } from "prom-client";
import type { Registry } from "./registry.ts";

export type RequestMetrics = {
  began(): void;
  /** @param code the error code, or "" */
  ended(method: string, route: string, status: number, code: string, ms: number): void;
};

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Known = { time: Histogram.Internal<"method" | "route">; counts: Map<string, Counter.Internal> };

export function measureRequests(registry: Registry): RequestMetrics {
  const registers = [registry];
  const total = new Counter({
    name: "botstead_http_requests_total",
    help: "Requests answered, by path template, method, status and error code.",
    labelNames: ["route", "method", "status", "code"],
    registers,
  });
  const duration = new Histogram({
    name: "botstead_http_request_duration_seconds",
    help: "Time from a request's headers to its answer; for a stream, to its first part.",
    labelNames: ["route", "method"],
    buckets: seconds,
    registers,
  });
  new Gauge({
    name: "botstead_http_requests_in_flight",
    help: "Requests that have not been answered yet.",
    registers,
    collect() {
      this.set(underWay);
    },
  });
  let underWay = 0;
  /** Label lookups are cached, because they cost more than counting. */
  const known = new Map<string, Known>();

  function of(route: string, method: string): Known {
    const found = known.get(method + route);
    if (found) return found;
    const made = { time: duration.labels(route, method), counts: new Map() };
    known.set(method + route, made);
    return made;
  }

  return {
    began() {
      underWay += 1;
    },
    ended(given, route, status, code, ms) {
      underWay -= 1;
      const method = methods.has(given) ? given : "other";
      const { time, counts } = of(route, method);
      time.observe(ms / 1000);
      const key = status + code;
      const counter = counts.get(key) ?? total.labels(route, method, String(status), code);
      counts.set(key, counter);
      counter.inc();
    },
  };
}
