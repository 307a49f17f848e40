/** Reads the form of a page if the token in the URL is well formed. Forms are small, and browsers do not compress them. */
import express, { type RequestHandler } from "express";
import { type CredentialClass, classOf } from "../../secrets/credentials.ts";
import { inviteBody } from "../stages/read.ts";

const read = express.urlencoded({ extended: false, limit: "16kb", inflate: false });

export function readForm(credential: CredentialClass): RequestHandler {
  return (request, response, next) => {
    if (classOf(String(request.params.token)) !== credential) return next(); // answered as any link that leads nowhere
    inviteBody(request, response);
    read(request, response, next);
  };
}
