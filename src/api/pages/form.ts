/** Reads the form of a page if its credential is well formed. Forms are small, and browsers do not compress them. */
import express, { type Request, type RequestHandler } from "express";
import { type CredentialClass, classOf } from "../../secrets/credentials.ts";
import { inviteBody } from "../stages/read.ts";

const read = express.urlencoded({ extended: false, limit: "16kb", inflate: false });
const tokenInPath = ({ params }: Request): string => String(params.token);

export function readForm(
  credential: CredentialClass,
  textOf: (request: Request) => string = tokenInPath,
): RequestHandler {
  return (request, response, next) => {
    if (classOf(textOf(request)) !== credential) return next(); // answered as without a credential
    inviteBody(request, response);
    read(request, response, next);
  };
}
