/** The API, counting in the database what all processes count in. */
import { api } from "./api.ts";

api("shared");
