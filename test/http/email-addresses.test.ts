/** Accepted and refused e-mail addresses, in requests and in the database. (docs/specification/conventions.md#e-mail-addresses) */
import { email } from "../../src/contract/email.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { ownApiOfFile } from "../support/callers.ts";

const here = ownApiOfFile();

const label63 = "l".repeat(63);
const accepted = [
  "r&d@harbour.example",
  "o'neil@harbour.example",
  "a=b@harbour.example",
  "!#$%&'*+-/=?^_`{|}~@harbour.example",
  "first.last+tag@harbour.example",
  "7@4u.example",
  `${"l".repeat(64)}@harbour.example`,
  `a@${label63}.example`,
  "a@ab--cd.example",
  "a@a.b.c.d.example",
  "nora@bücher.example",
  "nora@例え.みんな",
  "nora@harbour.xn--q9jyb4c",
];
const refused = [
  ".a@harbour.example",
  "a.@harbour.example",
  "a..b@harbour.example",
  '"a b"@harbour.example',
  "a b@harbour.example",
  "a@b@harbour.example",
  "a,b@harbour.example",
  "nöra@harbour.example",
  "@harbour.example",
  "a\n@harbour.example",
  `${"l".repeat(65)}@harbour.example`,
  "a@-a.example",
  "a@a-.example",
  "a@a..example",
  "a@.example",
  "a@harbour.example.",
  "a@harbour.-example",
  `a@${"l".repeat(64)}.example`,
  `a@${`${label63}.`.repeat(4)}example`,
  "a@har_bour.example",
  "a@harbour",
  "a@127.0.0.1",
  "a@[127.0.0.1]",
  "a@harbour.example\n",
  "a@har\u00a0bour.example",
  "a@har\u200bbour.example",
  "a@harbour。example",
];

test.each(accepted)(
  "An invitation and an organisation accept %j, and store the address that the database accepts",
  async (address) => {
    const ada = await here.owner();
    const platform = await here.platform();
    const { email: stored } = expectAnswer("create_invitation", await ada.post("/invitations", { email: address }));
    const owner = { name: "Harbour", owner: { email: address } };
    expectAnswer("create_organisation", await platform.post("/platform/organisations", owner));
    expect(await here.db.sql("select names.is_email($1) as valid", [stored])).toEqual([{ valid: true }]);
  },
);

test.each(refused)("An invitation and an organisation refuse %j, and so does the database", async (address) => {
  const ada = await here.owner();
  const platform = await here.platform();
  expectRefusal(await ada.post("/invitations", { email: address }), "invalid_request", ["body.email"]);
  const owner = { name: "Harbour", owner: { email: address } };
  expectRefusal(await platform.post("/platform/organisations", owner), "invalid_request", ["body.owner.email"]);
  const inserts = [
    ["insert into app.people (email) values ($1)"],
    [
      `insert into app.invitations (organisation_id, email, role, invited_by, token_digest)
       select organisation_id, $1, 'member', person_id, sha256('t') from app.memberships where organisation_id = $2`,
      ada.organisation.id,
    ],
  ] as const;
  for (const [insert, ...more] of inserts) {
    await expect(here.db.sql(insert, [address, ...more])).rejects.toMatchObject({
      code: "OA001",
      message: "invalid_request",
    });
  }
});

test("An address that an earlier version stored stays while other columns of its row change", async () => {
  const [row] = await here.db.sql<{ id: string }>(
    "insert into app.people (email) values ('older@harbour.example') returning id",
  );
  await here.db.sql("alter table app.people disable trigger _050_refuse_invalid_address_later");
  try {
    await here.db.sql("update app.people set email = 'older@harbour-.example' where id = $1", [row?.id]);
  } finally {
    await here.db.sql("alter table app.people enable trigger _050_refuse_invalid_address_later");
  }
  await here.db.sql("update app.people set display_name = 'Older', email = email where id = $1", [row?.id]);
});

test("The contract and the database classify every character of the BMP alike in a local part, and every one of ASCII in a domain", async () => {
  const rows = await here.db.sql<{ code: number; local: boolean; domain: boolean }>(
    `select code, names.is_email('a' || chr(code) || 'b@harbour.example') as local,
       names.is_email('a@b' || chr(code) || 'c.example') as domain
     from generate_series(1, 65535) code where code not between 55296 and 57343`,
  );
  const accepts = (address: string) => {
    const read = email.safeParse(address);
    return read.success && read.data === address;
  };
  const different = rows.filter(({ code, local, domain }) => {
    const character = String.fromCharCode(code);
    const inDomain = accepts(`a@b${character}c.example`);
    // The database cannot apply IDNA: outside ASCII it accepts at least what the contract stores.
    return (
      accepts(`a${character}b@harbour.example`) !== local || (code < 128 ? inDomain !== domain : inDomain && !domain)
    );
  });
  expect(different.map(({ code }) => code.toString(16))).toEqual([]);
});
