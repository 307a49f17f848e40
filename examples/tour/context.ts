import type { Place } from "../../src/cli/database.ts";
import type { ApiClient } from "./api.ts";
import type { Receiver } from "./receiver.ts";
import type { Report } from "./report.ts";

export type TourContext = {
  api: ApiClient;
  receiver: Receiver;
  report: Report;
  /** The server's database, to which the tour connects as an executor. */
  place: Place;
};
