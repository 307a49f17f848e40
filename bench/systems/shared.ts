/** The API with rate limits that are counted in the database. */
import { api } from "./api.ts";

api("shared");
