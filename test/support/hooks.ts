/** A real HTTPS receiver. Every endpoint has its own path and its own response. */
import { randomUUID } from "node:crypto";
import { type Received, type Receiver, type Respond, startReceiver } from "./receiver.ts";

/** A path of the receiver. Assign `answer` to change its response. */
export type Hook = {
  url: string;
  answer: Respond;
  posts(): Received[];
  /** Status of the response to a post, once it was sent; undefined before. */
  answered(post: Received): number | undefined;
};

export type Hooks = { receiver: Receiver; hook(answer?: Respond): Hook; close(): Promise<void> };

/** An immediate response with this status. */
export const status =
  (code: number): Respond =>
  (_request, response) =>
    void response.writeHead(code).end();

export async function startHooks(): Promise<Hooks> {
  const hooks = new Map<string, Hook>();
  const answered = new Map<Received, number>();
  const receiver = await startReceiver({
    respond(request, response) {
      const post = receiver.received.at(-1); // the receiver records the post just before it requests a response
      response.once("finish", () => post && answered.set(post, response.statusCode));
      (hooks.get(request.url ?? "")?.answer ?? status(404))(request, response);
    },
  });
  return {
    receiver,
    hook(answer = status(200)) {
      const path = `/hooks/${randomUUID()}`;
      const hook: Hook = {
        url: receiver.url + path,
        answer,
        posts: () => receiver.received.filter((post) => post.path === path),
        answered: (post) => answered.get(post),
      };
      hooks.set(path, hook);
      return hook;
    },
    close: () => receiver.close(),
  };
}
