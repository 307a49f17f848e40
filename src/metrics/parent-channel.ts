/** The metrics of a single process or of a child process; optionally served on a port of their own. */
import { version } from "../version.ts";
import { exposeMetrics } from "./endpoint.ts";
import { makeRegistry, observeProcess, type Registry } from "./registry.ts";
import { type Exposition, joinFamily } from "./siblings.ts";

export type ProcessMetrics = { registry: Registry; exposition: Exposition; stop(): Promise<void> };

export function ownRegistry(part: string): Registry {
  const registry = makeRegistry(part);
  observeProcess(registry, version);
  return registry;
}

/** @param address where to serve `/metrics`, if anywhere @throws Error with a message for operators if the port is in use */
export async function startMetrics(
  part: string,
  address: { host: string; port: number } | undefined,
): Promise<ProcessMetrics> {
  const registry = ownRegistry(part);
  const exposition = joinFamily(registry);
  const endpoint = address && (await exposeMetrics(address, exposition));
  return { registry, exposition, stop: async () => endpoint?.stop() };
}
