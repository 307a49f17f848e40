/** WEBHOOK_ALLOW_HOSTS exempts names of a private network, on create and update. */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { ownApiOfFile } from "../support/callers.ts";

const here = ownApiOfFile({ WEBHOOK_ALLOW_HOSTS: "hooks, *.corp.internal" });
const hook = (url: string) => ({ url, events: ["run.finished"] });

test("create_webhook and update_webhook accept listed names and suffixes, and refuse others", async () => {
  const ada = await here.owner();
  const made = expectAnswer("create_webhook", await ada.post("/webhooks", hook("https://hooks:8443/a")));
  for (const url of ["https://a.corp.internal/", "https://a.b.CORP.internal/", "https://hooks/"]) {
    expectAnswer("create_webhook", await ada.post("/webhooks", hook(url)));
    expect(expectAnswer("update_webhook", await ada.patch(`/webhooks/${made.id}`, { url })).url).toBe(url);
  }
  for (const url of [
    "https://corp.internal/",
    "https://other.internal/",
    "https://a.hooks.local/",
    "https://10.0.0.1/",
  ]) {
    expectRefusal(await ada.post("/webhooks", hook(url)), "invalid_request", ["body.url"]);
    expectRefusal(await ada.patch(`/webhooks/${made.id}`, { url }), "invalid_request", ["body.url"]);
  }
});
