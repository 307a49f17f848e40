/** The API, with buckets of its own process. */
import { api } from "./api.ts";

api("process");
