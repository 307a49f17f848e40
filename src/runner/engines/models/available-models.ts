/**
 * The served models: they have a price, because budgets limit only priced models, and the service lists them if it has a list.
 * While the service is unreachable no model is served, so that runs wait instead of failing.
 */
import type { Log } from "../../../log.ts";
import type { Service } from "./service.ts";

/** A fetched list is cached this long. */
const cacheMs = 60_000;

export function availableModels(service: Service, log: Log) {
  let list: string[] | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let unreachable = false;

  async function listed(): Promise<string[] | undefined> {
    if (performance.now() - fetchedAt < cacheMs) return list;
    try {
      list = await service.list();
      fetchedAt = performance.now();
      if (unreachable) log.info("the model service is reachable again");
      unreachable = false;
    } catch (error) {
      if (!unreachable)
        log.warn({ reason: (error as Error).message }, "the model service is unreachable, its runs wait");
      unreachable = true;
      list = [];
    }
    return list;
  }

  return async (priced: () => Promise<string[]>): Promise<string[]> => {
    const models = await priced();
    if (models.length === 0) return [];
    const known = await listed();
    return known ? models.filter((model) => known.includes(model)) : models;
  };
}
