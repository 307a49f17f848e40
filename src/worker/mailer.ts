/**
 * How mail leaves: through SMTP, or, where no server is set, as .eml files in the data folder. (decisions: section 4.)
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Config } from "../config.ts";

export type Mail = { id: string; to: string; subject: string; text: string };

export type Mailer = {
  /** Answers where the mail went. @throws Error of the SMTP server or of the file system. */
  send(mail: Mail): Promise<string>;
  close(): void;
};

/** As many as there are connections to the mail server: one more would only wait. */
export const mailsAtOnce = 5;

export function makeMailer({ smtpUrl, mailFrom, dataDir }: Pick<Config, "smtpUrl" | "mailFrom" | "dataDir">): Mailer {
  if (smtpUrl) {
    const smtp = createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: mailsAtOnce,
      connectionTimeout: 10_000,
      socketTimeout: 20_000,
    });
    return {
      async send(mail) {
        await smtp.sendMail({ from: mailFrom, ...asMessage(mail) });
        return "SMTP";
      },
      close: () => smtp.close(),
    };
  }
  const folder = join(dataDir, "mail");
  const writer = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(mail) {
      const { message } = await writer.sendMail({ from: mailFrom, ...asMessage(mail) });
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `${mail.id}.eml`);
      writeFileSync(file, message as Buffer, { mode: 0o600 });
      return file;
    },
    close: () => writer.close(),
  };
}

/** The Message-ID follows from the row, so that whoever receives a mail twice can tell. */
function asMessage({ id, to, subject, text }: Mail) {
  return { messageId: `<${id}@botstead>`, to, subject, text };
}
