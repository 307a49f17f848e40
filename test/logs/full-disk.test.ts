/** A full disk stops the log but not the service; the log continues when there is room. */
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeLog } from "../../src/log.ts";
import { smallDisk } from "../fault/small-disk.ts";
import { testWithMounts } from "../support/machine.ts";

const diskTest = testWithMounts();

diskTest("log entries on a full disk wait, and are written in order once there is space", async () => {
  const disk = smallDisk(1);
  const path = join(disk.folder, "log");
  const file = openSync(path, "a");
  try {
    const log = makeLog("info", "test", file);
    log.info("before");
    disk.fill();
    for (let entry = 0; entry < 100; entry += 1) log.info({ entry, padding: "x".repeat(100) }, "meanwhile");
    disk.free();
    log.info("after");
    const entries = readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries.map(({ msg, entry }) => entry ?? msg)).toEqual(["before", ...Array(100).keys(), "after"]);
  } finally {
    closeSync(file);
    disk.remove();
  }
});
