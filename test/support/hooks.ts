/** One real HTTPS receiver at which every endpoint has a path of its own and is answered in a way of its own. */
import { randomUUID } from "node:crypto";
import { type Received, type Receiver, type Respond, startReceiver } from "./receiver.ts";

/** A path at the receiver. Assign `answer` to change how it answers from now on. */
export type Hook = {
  url: string;
  answer: Respond;
  posts(): Received[];
  /** The status with which a post was answered, once the answer is out of our hands; undefined until then. */
  answered(post: Received): number | undefined;
};

export type Hooks = { receiver: Receiver; hook(answer?: Respond): Hook; close(): Promise<void> };

/** An answer with this status, at once. */
export const status =
  (code: number): Respond =>
  (_request, response) =>
    void response.writeHead(code).end();

export async function startHooks(): Promise<Hooks> {
  const hooks = new Map<string, Hook>();
  const answered = new Map<Received, number>();
  const receiver = await startReceiver({
    respond(request, response) {
      const post = receiver.received.at(-1); // the receiver noted it right before it asks for an answer
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
