/** The metrics of a process by itself, or of a child, whose parent asks for them; on a port of their own where one is set. */
import { version } from "../version.ts";
import { exposeMetrics } from "./endpoint.ts";
import { makeRegistry, observeProcess, type Registry } from "./registry.ts";
import { type Exposition, joinFamily } from "./siblings.ts";

export type Told = { registry: Registry; exposition: Exposition; stop(): Promise<void> };

export function ownRegistry(part: string): Registry {
  const registry = makeRegistry(part);
  observeProcess(registry, version);
  return registry;
}

/** @param place unset: nowhere @throws Error in a sentence when the port is taken */
export async function tellMetrics(part: string, place: { host: string; port: number } | undefined): Promise<Told> {
  const registry = ownRegistry(part);
  const exposition = joinFamily(registry);
  const endpoint = place && (await exposeMetrics(place, exposition));
  return { registry, exposition, stop: async () => endpoint?.stop() };
}
