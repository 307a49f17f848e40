/**
 * Requests, by route, method, status and the word of a refusal. A route is the template of an operation or of a page,
 * and all that matches none is "unknown": what callers make up adds nothing to what is kept.
 */
import { Counter, Gauge, Histogram } from "prom-client";
import type { Registry } from "./registry.ts";

export type RequestMetrics = {
  began(): void;
  /** @param code the word of a refusal, "" of what went well or has none */
  ended(method: string, route: string, status: number, code: string, ms: number): void;
  /** It is somebody else's to answer, who counts it. */
  passedOn(): void;
};

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Known = { time: Histogram.Internal<"method" | "route">; counts: Map<string, Counter.Internal> };

export function measureRequests(registry: Registry): RequestMetrics {
  const registers = [registry];
  const total = new Counter({
    name: "botstead_http_requests_total",
    help: "Requests answered, by the route's template, method, status and the word of a refusal.",
    labelNames: ["route", "method", "status", "code"],
    registers,
  });
  const duration = new Histogram({
    name: "botstead_http_request_duration_seconds",
    help: "From a request's headers to its answer; of a stream, to its first part.",
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
  /** Labels are looked up once: a request pays for two sums. */
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
    passedOn() {
      underWay -= 1;
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
