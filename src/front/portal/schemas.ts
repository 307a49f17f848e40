/** Types of the API's responses, from the contract. */
import type { components } from "../../client/generated/schema.ts";

export type Schemas = components["schemas"];
