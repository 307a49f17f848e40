/**
 * Which models are served: those that have a price, since what costs nothing would know no budget, and that the service
 * lists, where it keeps a list. While it is away none is: runs wait, and are not failed one by one.
 */
import type { Log } from "../../../log.ts";
import type { Service } from "./service.ts";

/** So long a list is believed. */
const freshMs = 60_000;

export function modelsServed(service: Service, log: Log) {
  let list: string[] | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let away = false;

  async function listed(): Promise<string[] | undefined> {
    if (performance.now() - askedAt < freshMs) return list;
    try {
      list = await service.list();
      askedAt = performance.now();
      if (away) log.info("the model service is back");
      away = false;
    } catch (error) {
      if (!away) log.warn({ reason: (error as Error).message }, "the model service is away: its models are not served");
      away = true;
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
