/** Consent and the exchange of a code reach the cell of the person, at the API of each cell. (docs/specification/oauth.md#cells) */
import { makeCredential } from "../../src/secrets/credentials.ts";
import type { TestApi } from "../support/api.ts";
import { makeKey, makeOrganisation } from "../support/database.ts";
import { type DirectedCells, directedCells } from "../support/directory.ts";
import { consented, exchange, hostOfClients, sessionAt } from "../support/oauth.ts";

const clients = hostOfClients();
const resource = "https://botstead.example/mcp";
let cells: DirectedCells;
let apis: TestApi[] = [];

beforeAll(async () => {
  cells = await directedCells();
  const settings = { ...clients.settings, BASE_URL: "https://botstead.example" };
  apis = [await cells.api("one", settings), await cells.api("one", settings)];
});
afterAll(async () => {
  await Promise.all(apis.map((api) => api.stop()));
  await cells?.end();
});

test.each(["one", "two"])(
  "a person of cell %s consents at one process, and the client exchanges the code at another",
  async (name) => {
    const cell = name === "one" ? cells.source : cells.target;
    const organisation = await makeOrganisation(cell);
    const key = await makeKey(cell, organisation.id, organisation.ownerId);
    const [api, other] = apis as [TestApi, TestApi];
    const link = await api.call("POST", "/portal-sessions", { key: key.text, body: {} });
    const form = await consented({ client: clients.client, api, resource }, await sessionAt(api, link.body));
    const { status, body } = await exchange(other, form);
    expect(status).toBe(200);
    const me = await other.call("GET", "/me", { key: body.access_token });
    expect(me.body.organisation.id).toBe(organisation.id);
    const unknown = await exchange(other, { ...form, code: makeCredential("bsc").text });
    expect([unknown.status, unknown.body.error]).toEqual([400, "invalid_grant"]);
  },
);
