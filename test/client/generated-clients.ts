/** Programs that use the clients of other generators: each creates, lists and gets a memory, and is refused one. */

const start = `
declare const process: { env: Record<string, string> };
const { API_URL: baseUrl = "", KEY: key = "", NAME: value = "" } = process.env;
const authorization = \`Bearer \${key}\`;
const body = { scope: "organisation", kind: "fact", subject: "Generators", value } as const;
const unknownId = "01890000-0000-7000-8000-000000000000";
`;

export const consumers: Record<string, string> = {
  "hey-api": `
import { createClient, createConfig } from "./hey-api/client/index.ts";
import { createMemory, getMemory, listMemories } from "./hey-api/sdk.gen.ts";
${start}
const client = createClient(createConfig({ baseUrl, auth: key }));
const made = await createMemory({ client, body, headers: { "Idempotency-Key": crypto.randomUUID() } });
const id = made.data?.id ?? "";
const list = await listMemories({ client, query: { limit: 200 } });
const got = await getMemory({ client, path: { id } });
const refused = await getMemory({ client, path: { id: unknownId } });
console.log(JSON.stringify({
  made: made.response?.status, value: got.data?.value, isListed: list.data?.data.some((memory) => memory.id === id),
  code: refused.error?.error.code, status: refused.response?.status,
}));
`,
  orval: `
import { createMemory, getMemory, listMemories } from "./orval.ts";
${start}
const headers = { authorization };
const made = await createMemory(body, { headers: { ...headers, "Idempotency-Key": crypto.randomUUID() } });
const id = made.status === 201 ? made.data.id : "";
const list = await listMemories({ limit: 200 }, { headers });
const got = await getMemory(id, { headers });
const refused = await getMemory(unknownId, { headers });
console.log(JSON.stringify({
  made: made.status, value: got.status === 200 && got.data.value,
  isListed: list.status === 200 && list.data.data.some((memory) => memory.id === id),
  code: refused.status === 404 && refused.data.error.code, status: refused.status,
}));
`,
  "openapi-typescript": `
import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript.ts";
${start}
const client = createClient<paths>({ baseUrl, headers: { authorization } });
const header = { "Idempotency-Key": crypto.randomUUID() };
const made = await client.POST("/memories", { body, params: { header } });
const id = made.data?.id ?? "";
const list = await client.GET("/memories", { params: { query: { limit: 200 } } });
const got = await client.GET("/memories/{id}", { params: { path: { id } } });
const refused = await client.GET("/memories/{id}", { params: { path: { id: unknownId } } });
console.log(JSON.stringify({
  made: made.response.status, value: got.data?.value, isListed: list.data?.data.some((memory) => memory.id === id),
  code: refused.error?.error.code, status: refused.response.status,
}));
`,
};
