/** Texts that operators have written about a deleted organisation beside its rows. (docs/leaving.md#what-stays) */
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { begun } from "../support/transactions.ts";
import { deletionsOf } from "./fixture.ts";

const office = ownOfficeOfFile({ worker: false });

test("the reason of an accepted fault of its audit log is removed from the fault and the operators' log, and others stay", async () => {
  const { db } = office;
  const deletions = await deletionsOf(db);
  const [gone, other] = [(await customer(office)).organisation.id, (await customer(office)).organisation.id];
  await deletions.checkpoints.run();
  const cli = await begun(db, "cli");
  await cli.query(
    "select set_config('caller.command_by', 'Eve', true), set_config('caller.command_reason', 'Harbour lost a disk', true)",
  );
  for (const id of [gone, other]) {
    await db.sql(
      "insert into app.audit_faults (organisation_id, fault, sequence, last_sequence) values ($1, 'altered', 1, 1)",
      [id],
    );
    expect((await cli.query("select operator.accept_audit_fault($1, 'altered', 1) as is_accepted", [id])).rows).toEqual(
      [{ is_accepted: true }],
    );
  }
  await cli.query("commit");
  await deletions.schedule(gone);
  await deletions.passWait(gone);
  await deletions.end(gone);
  const actions = `select organisation_id as id, reason from app.operator_actions where action = 'accept_audit_fault'`;
  expect(await db.sql(actions)).toEqual([{ id: other, reason: "Harbour lost a disk" }]);
  const faults = `select organisation_id as id, accepted_reason as reason from app.audit_faults where fault = 'altered' order by 1`;
  expect(await db.sql(faults)).toEqual(
    [
      { id: gone, reason: null },
      { id: other, reason: "Harbour lost a disk" },
    ].sort((one, two) => (one.id < two.id ? -1 : 1)),
  );
});
