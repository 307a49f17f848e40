/**
 * The key that the tour calls with: one it is given, or one it mints for the owner of the demo, as an operator beside
 * the server would.
 */
import { asOperator } from "../cli/database.ts";
import { makeCredential } from "../secrets/credentials.ts";
import { NotPossible } from "./teller.ts";

/** @throws NotPossible where there is no demo to mint a key for. */
export async function mintDemoKey(): Promise<string> {
  const { text, prefix, digest } = makeCredential("bsk");
  await asOperator("select operator.mint_key('Demo', 'owner@demo.example', 'Tour', 'admin', 1, $1, $2)", [
    prefix,
    digest,
  ]).catch((error: Error) => {
    throw new NotPossible(
      `No key could be minted for the demo organisation (${error.message}). Give one of scope admin: npm run tour -- --key bsk_…`,
    );
  });
  return text;
}
