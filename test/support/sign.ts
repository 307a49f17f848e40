/** Signs a post to a hook, independently of src/, as the specification describes. */
import { createHmac, randomUUID } from "node:crypto";

export type Posted = { headers: Record<string, string>; raw: string | Buffer };

export const nowInSeconds = () => Math.floor(Date.now() / 1000);

type Options = { at?: number; id?: string | null; headers?: Record<string, string> };

/** @param options.id null sends none; defaults to a new one */
export function signed(
  secret: string,
  raw: string | Buffer,
  { at = nowInSeconds(), id, headers }: Options = {},
): Posted {
  const signature = createHmac("sha256", secret).update(`v1:${at}:`).update(raw).digest("hex");
  return {
    raw,
    headers: {
      "content-type": "text/plain",
      "x-botstead-timestamp": String(at),
      "x-botstead-signature": signature,
      ...(id === null ? {} : { "x-botstead-delivery": id ?? randomUUID() }),
      ...headers,
    },
  };
}
