/** What the tour goes its way with. */
import type { Caller } from "./caller.ts";
import type { Receiver } from "./receiver.ts";
import type { Teller } from "./teller.ts";

export type Around = {
  api: Caller;
  receiver: Receiver;
  tell: Teller;
  /** The sentence that tells how to start the server so that it reaches the receiver. */
  howToStart: string;
};
