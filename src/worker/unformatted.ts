import type { PluginFunction } from "nodemailer";

/**
 * Sends the body unencoded. nodemailer uses quoted-printable for lines of more than 76 characters, which breaks the links in
 * the raw message. Our lines stay far below SMTP's maximum of 998 characters.
 */
export const sendAsWritten: PluginFunction = ({ message, data }, done) => {
  const isAscii = /^\p{ASCII}*$/u.test(String(data.text));
  message.getTransferEncoding = () => (isAscii ? "7bit" : "8bit");
  if (!isAscii) message.setEnvelope({ ...message.getEnvelope(), use8BitMime: true });
  done();
};
