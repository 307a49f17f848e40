/** `botstead witness`: runs without a database, on a machine that the database's administrators cannot change. */
import { Command } from "commander";
import { stopRequest } from "../processes/part-process.ts";
import { readVerifier } from "../secrets/note-key.ts";
import { print } from "../terminal.ts";

type Options = { listen: string; store: string; key: string; name: string; log: string[] };

export function witnessCommand(): Command {
  return new Command("witness")
    .description("run a witness of audit logs: it cosigns checkpoints that extend the last one, and refuses forks")
    .requiredOption("--listen <host:port>", "address, for example 127.0.0.1:4010")
    .requiredOption("--store <folder>", "where the cosigned checkpoints are kept")
    .requiredOption("--key <file>", "secret key of the witness; created if the file does not exist")
    .requiredOption("--name <name>", "name of the witness in its cosignatures, for example witness.example.com")
    .requiredOption("--log <key...>", "public keys of logs, which `botstead audit key` prints")
    .action(async ({ listen: address, store, key, name, log }: Options) => {
      // Node loads its HTTP client with the server, for 50 ms that other commands need not spend.
      const { startWitness, witnessKey } = await import("../transparency/witness/server.ts");
      const [, host = "", port = ""] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(address) ?? [];
      if (host === "") throw new Error("--listen must be a host and a port, such as 127.0.0.1:4010.");
      const logs = log.map((text) => {
        const verifier = readVerifier(text);
        if (verifier.kind !== 1) throw new Error("--log must be the key of a log, not of a witness.");
        return verifier;
      });
      const signer = witnessKey(key, name);
      const running = await startWitness({ host, port: Number(port) }, { signer, logs, folder: store });
      print(`${signer.text} http://${host.includes(":") ? `[${host}]` : host}:${running.port}\n`);
      await stopRequest();
      await running.stop();
    });
}
