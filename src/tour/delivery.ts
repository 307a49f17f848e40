/**
 * The last part of the tour's way: what arrives at the receiver, how it is verified, and what the sender wrote down.
 */
import { verify } from "../delivery/signature.ts";
import type { Around } from "./around.ts";
import { type Body, type Reply, until } from "./caller.ts";
import { asTold, NotPossible } from "./teller.ts";

/** @throws NotPossible when an endpoint on loopback was refused because the server may not reach it. */
export function refusesReceiver({ status, body }: Reply, howToStart: string): void {
  if (status === 400 && body.error.details?.some(({ path }: Body) => path === "body.url")) {
    throw new NotPossible(
      `The server refuses a receiver on this machine, as it should unless it is told otherwise.\n${howToStart}`,
    );
  }
}

export async function verifiedDelivery(
  { api, receiver, tell, howToStart }: Around,
  { run, endpoint }: { run: Body; endpoint: Body },
): Promise<void> {
  tell.step("The receiver gets run.finished");
  const deliveryId = await until("a delivery is written", async () => {
    const { body } = await api.expect(200, "GET", `/webhooks/${endpoint.id}/deliveries`);
    return body.data[0]?.id as string | undefined;
  });
  const delivery = await until("the delivery is made", async () => {
    const { body } = await api.expect(200, "GET", `/deliveries/${deliveryId}`);
    if (body.state === "pending" && body.attempts > 0) throw unreachable(body, howToStart);
    return body.state === "pending" ? undefined : body;
  });
  asTold(delivery.state === "delivered", "the delivery is delivered", delivery);
  const [received, ...more] = receiver.received;
  asTold(received !== undefined && more.length === 0, "the receiver got one request", receiver.received.length);
  const payload = JSON.parse(received.body) as Body;
  asTold(payload.id === deliveryId && payload.data.runId === run.id, "it tells of the run", payload);
  tell.found(JSON.stringify(payload, null, 2));

  tell.step("Its signature is verified over the raw body, under the endpoint's secret");
  const header = (name: string) => String(received.headers[`x-botstead-${name}`]);
  const signed = {
    secret: endpoint.secret as string,
    timestamp: Number(header("timestamp")),
    rawBody: received.body,
    signature: header("signature"),
  };
  asTold(verify(signed), "the signature is ours", received.headers);
  asTold(!verify({ ...signed, rawBody: `${received.body} ` }), "one more byte and it is not", "it still is");
  tell.found(
    `x-botstead-timestamp: ${header("timestamp")}`,
    `x-botstead-signature: ${header("signature")}`,
    "It is Botstead's, and with one more byte in the body it would not be.",
  );

  tell.step("What the sender wrote down: GET /deliveries/{id}");
  for (const { number, trigger, statusCode, durationMs } of delivery.attemptLog) {
    tell.found(`Attempt ${number}, ${trigger}: status ${statusCode} after ${durationMs} ms.`);
  }
  asTold(delivery.attemptLog.length === 1 && delivery.attemptLog[0].statusCode === 200, "one attempt, 200", delivery);

  tell.step("A delivery that has not failed is not sent again: POST /deliveries/{id}/redeliver");
  const refused = await api.send("POST", `/deliveries/${deliveryId}/redeliver`);
  asTold(refused.status === 409 && refused.body.error.code === "conflict", "409 conflict", refused.body);
  tell.found(`${refused.status} ${refused.body.error.code}: ${refused.body.error.message}`);
}

/** The server may reach the receiver's address but not trust its certificate, or the other way round. */
function unreachable({ lastFailure, lastStatusCode }: Body, howToStart: string): NotPossible {
  return new NotPossible(
    `The server could not deliver to the receiver (${lastFailure ?? lastStatusCode}): it has to trust the tour's authority.\n${howToStart}`,
  );
}
