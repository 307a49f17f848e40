/** The API with rate limits per process. */
import { api } from "./api.ts";

api("process");
