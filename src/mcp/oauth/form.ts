/** Reads the form of the consent page if the cookie is well formed. */
import express, { type RequestHandler } from "express";
import { inviteBody } from "../../api/stages/read.ts";
import { classOf } from "../../secrets/credentials.ts";
import type { SessionCookie } from "../../web/session-cookie.ts";

const read = express.urlencoded({ extended: false, limit: "16kb", inflate: false });

export function readConsentForm(cookie: SessionCookie): RequestHandler {
  return (request, response, next) => {
    if (classOf(cookie.sessionOf(request) ?? "") !== "bsx") return next(); // answered as a request without a session
    inviteBody(request, response);
    read(request, response, next);
  };
}
