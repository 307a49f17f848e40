/** A real name server on loopback. Its records can change between queries, and it can stop responding. */
import { createSocket, type RemoteInfo } from "node:dgram";
import { type Answer, decode, encode, type Packet } from "dns-packet";

/**
 * The addresses of a name, or another reaction: a response code, silence, or malformed bytes. `drops`: the server does not answer
 * queries of this type.
 */
export type Knows =
  | string[]
  | "NXDOMAIN"
  | "SERVFAIL"
  | "silence"
  | "noise"
  | { addresses: string[]; drops: "A" | "AAAA" };

export type NameServer = {
  /** For createResolveName. */
  servers: string[];
  /** By name in lower case. Other names do not exist. */
  names: Map<string, Knows>;
  /** Queries so far, such as `A a.example`. */
  queries: string[];
  close(): Promise<void>;
};

const CODES = { SERVFAIL: 2, NXDOMAIN: 3 };

export async function startNameServer(known: Record<string, Knows> = {}): Promise<NameServer> {
  const names = new Map(Object.entries(known));
  const queries: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (message: Buffer, { port, address }: RemoteInfo) => {
    const { id, flags = 0, questions = [] } = decode(message);
    const [question] = questions;
    if (!question) return;
    const name = question.name.toLowerCase();
    queries.push(`${question.type} ${name}`);
    const known = names.get(name) ?? "NXDOMAIN";
    const knows = typeof known === "object" && "drops" in known ? known.addresses : known;
    if (knows === "silence" || (typeof known === "object" && "drops" in known && known.drops === question.type)) return;
    if (knows === "noise") {
      socket.send(Buffer.alloc(60, 0xff), port, address);
      return;
    }
    const ofType = (each: string) => (each.includes(":") ? "AAAA" : "A") === question.type;
    const answers = Array.isArray(knows) ? knows.filter(ofType) : [];
    const reply: Packet = {
      type: "response",
      ...(id !== undefined && { id }),
      flags: (flags & 0x0100) | 0x0080 | (Array.isArray(knows) ? 0 : CODES[knows]),
      questions: [question],
      answers: answers.map((data) => ({ name: question.name, type: question.type, ttl: 0, data }) as Answer),
    };
    socket.send(encode(reply), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    names,
    queries,
    close: () => new Promise((resolve) => void socket.close(() => resolve())),
  };
}
