import type { PluginFunction } from "nodemailer";

/** Of SMTP, in octets (RFC 5321). */
const maxLineOctets = 998;

/**
 * Sends the body unencoded. nodemailer uses quoted-printable or base64 for lines of more than 76 characters, which breaks the
 * links in the raw message. Longer lines than SMTP allows, as with two long names, are encoded nevertheless.
 */
export const sendAsWritten: PluginFunction = ({ message, data }, done) => {
  const text = String(data.text);
  if (text.split("\n").some((line) => Buffer.byteLength(line) > maxLineOctets)) return done();
  const isAscii = /^\p{ASCII}*$/u.test(text);
  message.getTransferEncoding = () => (isAscii ? "7bit" : "8bit");
  if (!isAscii) message.setEnvelope({ ...message.getEnvelope(), use8BitMime: true });
  done();
};
