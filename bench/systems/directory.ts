/** The API with a directory, which serves several cells. */
import { api } from "./api.ts";

api("process");
