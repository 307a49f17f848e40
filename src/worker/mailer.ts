/** Sends mail through SMTP, or writes .eml files to the data folder if no server is set. (docs/specification/service.md#mail) */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { sendAsWritten } from "./unformatted.ts";

export type Mail = { id: string; to: string; subject: string; text: string };

export type Mailer = {
  /** Returns "SMTP" or the path of the file. @throws Error of the SMTP server or of the file system */
  send(mail: Mail): Promise<string>;
  close(): void;
};

/** Concurrent mails. Each has its own SMTP connection, and many servers accept no more than 5. */
export const maxMails = 5;

/** Deadline for one mail including its connection. Socket time-outs alone do not end a server that drips bytes. */
const defaultDeadlineMs = 30_000;

/** The mail server is unreachable or refuses all mail. The job is retried within a minute. (sql/jobs/mails.sql) */
class MailServerAway extends Error {
  override name = "MailServerAway";
  readonly code: string | undefined;
  constructor(cause: SmtpError) {
    super("the mail server is away", { cause });
    this.code = cause.code;
  }
}

/** The mail server refuses this mail for good. The job is not retried. (sql/jobs/mails.sql) */
class MailRefused extends Error {
  override name = "MailRefused";
  readonly code: string;
  constructor(cause: SmtpError) {
    super("the mail server refused the mail for good", { cause });
    this.code = String(cause.responseCode);
  }
}

type SmtpError = Error & { code?: string; command?: string; responseCode?: number; response?: string };

type Settings = Pick<Config, "smtpUrl" | "mailFrom" | "dataDir">;

/** Loaded for the first mail, since it takes 60 ms of processor time. */
const nodemailer = () => import("nodemailer");

export function makeMailer({ smtpUrl, mailFrom, dataDir }: Settings, deadlineMs = defaultDeadlineMs): Mailer {
  if (smtpUrl) return smtpMailer(smtpUrl, mailFrom, deadlineMs);
  const folder = join(dataDir, "mail");
  return {
    async send(mail) {
      const { createTransport } = await nodemailer();
      const writer = createTransport({ streamTransport: true, buffer: true });
      writer.use("stream", sendAsWritten);
      const { message } = await writer.sendMail({ from: mailFrom, ...asMessage(mail) });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chmodSync(folder, 0o700); // mails hold tokens, and an earlier version left the folder readable to others
      const file = join(folder, `${mail.id}.eml`);
      writeFileSync(file, message as Buffer, { mode: 0o600 });
      return file;
    },
    close() {},
  };
}

function smtpMailer(url: string, from: string, deadlineMs: number): Mailer {
  const closing = new AbortController();
  return {
    async send(mail) {
      const { createTransport } = await nodemailer();
      let written = false;
      const noteMessage = (entry: { tnx?: string }) => {
        // nodemailer logs this once the whole message is written.
        if (entry.tnx === "message") written = true;
      };
      // Not pooled: a deadline would end the wait but leave the connection in the pool.
      const smtp = createTransport({
        url,
        connectionTimeout: 10_000,
        socketTimeout: 20_000,
        logger: { ...silent, info: noteMessage },
      });
      smtp.use("stream", sendAsWritten);
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(deadlineMs)]);
      try {
        await smtp.sendMail({ from, ...asMessage(mail), signal });
        return "SMTP";
      } catch (error) {
        if (isFinal(error as SmtpError)) throw new MailRefused(error as SmtpError);
        // A server that has the whole message may have sent it, so such a mail is not retried every minute.
        throw written || isRejection(error as SmtpError) ? error : new MailServerAway(error as SmtpError);
      } finally {
        smtp.close();
      }
    },
    close: () => closing.abort(),
  };
}

const ignore = () => {};
const silent = {
  level: ignore,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
};

/** The server refuses this mail or its recipient. 421 is no rejection: it refuses all mail and closes the connection. */
const isRejection = ({ code, responseCode }: SmtpError) =>
  (code === "EENVELOPE" || code === "EMESSAGE") && responseCode !== 421;

/**
 * The answer to the recipient or to the message is a 5xx. 5.7.x is a policy, such as a sender that may not relay: an operator can
 * correct it, so those mails are retried.
 */
const isFinal = ({ code, command, responseCode = 0, response = "" }: SmtpError) =>
  responseCode >= 500 &&
  (code === "EMESSAGE" || (code === "EENVELOPE" && command === "RCPT TO")) &&
  !/^\d{3}[ -]5\.7\./.test(response);

/** The Message-ID is the row's id, so that a recipient can recognise a duplicate. Auto-Submitted (RFC 3834) stops automatic replies. */
function asMessage({ id, to, subject, text }: Mail) {
  return { messageId: `<${id}@botstead>`, to, subject, text, headers: { "Auto-Submitted": "auto-generated" } };
}
