import { expect, spyOn, test } from "bun:test";
import { hostForFile } from "#api/testing/for-file.ts";
import { readStream } from "#api/testing/live-stream.ts";
import { until } from "#api/testing/until.ts";

const host = await hostForFile();

test("A2: any number of events about a listener costs a few looks, and a revocation among them still ends the stream", async () => {
  const [admin, other] = [await host.signedIn("admin"), await host.signedIn("admin")];
  const stream = readStream(await admin.call("GET", "/api/admin/activity/stream"));
  await stream.begun();
  const looks = spyOn(host.services.lookups, "select");
  try {
    const userId = admin.user?.id ?? "";
    const flood = () => {
      for (let told = 0; told < 2_000; told += 1)
        host.services.events.publish({ type: "user-changed", userId });
    };
    flood();
    await until(() => looks.mock.calls.length > 0);
    flood();
    const demotion = await other.call("PUT", `/api/admin/users/${userId}/role`, { role: "user" });
    expect(demotion.status).toBe(200);
    flood();
    await stream.ended();
    expect(looks.mock.calls.length).toBeLessThan(20);
  } finally {
    looks.mockRestore();
  }
});
