/**
 * The keys of the installation that sign deliveries. Reads them every 10 seconds, and creates the current one if there is
 * none: at the first start, and after a rotation. Private keys leave a worker only sealed. (sql/jobs/signing_keys.sql)
 */
import { createPrivateKey, createSecretKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Pool } from "pg";
import { faultOf, type Log } from "../log.ts";
import { ifKeyIsLost } from "../secrets/master-key.ts";
import { openWith, seal } from "../secrets/seal.ts";

export type Signers = {
  /** Newest first; several during a rotation. */
  keys(): readonly KeyObject[];
  stop(): Promise<void>;
};

type Row = { sealed: Buffer; is_current: boolean };

const otherMasterKey = `A key that signs deliveries is sealed under another master key. Set MASTER_KEY to that key. ${ifKeyIsLost}`;

/** @param sealing the key that private keys are sealed under @throws Error if the keys cannot be read or opened */
export async function openSigners(pool: Pool, sealing: Buffer, log: Log, readIntervalMs = 10_000): Promise<Signers> {
  const sealingKey = createSecretKey(sealing);
  let keys: KeyObject[] = [];
  let busy: Promise<void> | undefined;

  async function read(): Promise<void> {
    let rows = await signingRows();
    if (!rows.some(({ is_current }) => is_current)) {
      await create();
      rows = await signingRows();
    }
    keys = rows.map(({ sealed }) => createPrivateKey(opened(sealed)));
  }

  function opened(sealed: Buffer): string {
    const key = openWith([sealingKey], "signing-key", sealed);
    if (key === undefined) throw new Error(otherMasterKey);
    return key;
  }

  async function signingRows(): Promise<Row[]> {
    return (await pool.query<Row>("select private_key_sealed as sealed, is_current from jobs.signing_keys()")).rows;
  }

  /** Another worker may do the same: the database keeps one of both keys. */
  async function create(): Promise<void> {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const sealed = seal(sealingKey, "signing-key", privateKey.export({ type: "pkcs8", format: "pem" }).toString());
    const { x = "" } = publicKey.export({ format: "jwk" });
    await pool.query("select jobs.add_signing_key($1, $2)", [Buffer.from(x, "base64url"), sealed]);
  }

  await read();
  const timer = setInterval(() => {
    busy ??= read()
      .catch((error) => log.warn({ error: faultOf(error) }, "reading the signing keys failed, will retry"))
      .finally(() => {
        busy = undefined;
      });
  }, readIntervalMs);
  return {
    keys: () => keys,
    async stop() {
      clearInterval(timer);
      await busy;
    },
  };
}
