/** A real SMTP server on loopback, and the mails that it received. */
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import type { TestDatabase } from "./database.ts";
import { eventually } from "./worker.ts";

export type Message = { from: string; to: string[]; source: string };

export type Smtp = { url: string; messages: Message[]; close(): Promise<void> };

/**
 * @param refuse whether to refuse the next recipient
 * @param responseCode of the refusal
 * @param refusal its text, which can begin with an enhanced status code
 * @param hold is awaited before a received mail is accepted
 */
export async function startSmtp(
  refuse: () => boolean = () => false,
  hold: () => Promise<void> = async () => {},
  responseCode = 451,
  refusal = "Try again later",
): Promise<Smtp> {
  const messages: Message[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo(_address, _session, callback) {
      callback(refuse() ? Object.assign(new Error(refusal), { responseCode }) : null);
    },
    onData(stream, session, callback) {
      text(stream)
        .then((source) => {
          const { mailFrom, rcptTo } = session.envelope;
          messages.push({ from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address), source });
          return hold().then(() => callback());
        })
        .catch(callback);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Text of a mail as its reader sees it. */
export function wordsOf(source: string): string {
  const body = source.slice(source.search(/\r?\n\r?\n/)).trim();
  if (!/^content-transfer-encoding: quoted-printable/im.test(source)) return body.replaceAll("\r\n", "\n");
  const bytes = body
    .replace(/=\r?\n/g, "")
    .replaceAll("\r\n", "\n")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Waits until no mail is unsent and no mail job is queued. */
export const allSent = (db: TestDatabase): Promise<void> =>
  eventually(async () => {
    const [left] = await db.sql<{ unsent: number; jobs: number }>(
      `select (select count(*)::int from app.mails where sent_at is null) as unsent,
         (select count(*)::int from graphile_worker.jobs where task_identifier = 'send_mail') as jobs`,
    );
    return left?.unsent === 0 && left.jobs === 0;
  });
