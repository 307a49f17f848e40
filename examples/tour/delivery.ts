/** The steps of a delivery: the payload at the receiver, its signature, and the sender's record of the attempt. */
import { verify } from "../../src/delivery/signature.ts";
import { type Body, until } from "./api.ts";
import type { TourContext } from "./context.ts";
import { expectThat } from "./report.ts";

export async function verifyDelivery(
  { api, receiver, report }: Omit<TourContext, "place">,
  { run, endpoint }: { run: Body; endpoint: Body },
): Promise<void> {
  report.step("The receiver gets run.finished");
  const deliveryId = await until("a delivery exists", async () => {
    const { body } = await api.expect(200, "GET", `/webhooks/${endpoint.id}/deliveries`);
    return body.data[0]?.id as string | undefined;
  });
  const delivery = await until("the delivery ends", async () => {
    const { body } = await api.expect(200, "GET", `/deliveries/${deliveryId}`);
    return body.state === "pending" ? undefined : body;
  });
  expectThat(delivery.state === "delivered", "the delivery is delivered", delivery);
  const [received, ...more] = receiver.received;
  expectThat(received !== undefined && more.length === 0, "the receiver got one request", receiver.received.length);
  const payload = JSON.parse(received.body) as Body;
  expectThat(payload.id === deliveryId && payload.data.runId === run.id, "the payload has the id of the run", payload);
  report.result(JSON.stringify(payload, null, 2));

  report.step("Verify the signature over the raw body, with the endpoint's secret");
  const header = (name: string) => String(received.headers[`x-botstead-${name}`]);
  const signed = {
    secret: endpoint.secret as string,
    timestamp: Number(header("timestamp")),
    rawBody: received.body,
    signature: header("signature"),
  };
  expectThat(verify(signed), "the signature is valid", received.headers);
  expectThat(
    !verify({ ...signed, rawBody: `${received.body} ` }),
    "with one more byte the signature is invalid",
    "it is valid",
  );
  report.result(
    `x-botstead-timestamp: ${header("timestamp")}`,
    `x-botstead-signature: ${header("signature")}`,
    "The signature is valid. With one more byte in the body it is not.",
  );

  report.step("Read the sender's record of the delivery: GET /deliveries/{id}");
  for (const { number, trigger, statusCode, durationMs } of delivery.attemptLog) {
    report.result(`Attempt ${number}, ${trigger}: status ${statusCode} after ${durationMs} ms.`);
  }
  expectThat(
    delivery.attemptLog.length === 1 && delivery.attemptLog[0].statusCode === 200,
    "one attempt, 200",
    delivery,
  );

  report.step("Redelivering a successful delivery is refused: POST /deliveries/{id}/redeliver");
  const refused = await api.send("POST", `/deliveries/${deliveryId}/redeliver`);
  expectThat(refused.status === 409 && refused.body.error.code === "conflict", "409 conflict", refused.body);
  report.result(`${refused.status} ${refused.body.error.code}: ${refused.body.error.message}`);
}
