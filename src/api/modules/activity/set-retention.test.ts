import { describe, expect } from "bun:test";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { readRefusal } from "#api/testing/read-refusal.ts";
import { activityTexts } from "#contract/activity.ts";

const path = "/api/admin/activity/retention";

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");
const recorded = createActivityReader(host.services);

const get = async () => (await admin.call("GET", path)).json();
const set = async (days: unknown) => {
  const answer = await admin.call("PUT", path, { days });
  return { status: answer.status, answer: await answer.json() };
};
const changes = async () => (await recorded()).filter(({ type }) => type === "configuration_changed");

const step = inOrder();

describe("the time for which activities are kept", () => {
  step("has no limit until someone sets it, and what was set is what is read", async () => {
    expect(await get()).toEqual({ success: true, data: { days: null } });
    for (const days of [1, 365, 3_650, null, 90]) {
      expect(await set(days)).toEqual({
        status: 200,
        answer: { success: true, message: activityTexts.kept(days), data: { days } },
      });
      expect(await get()).toEqual({ success: true, data: { days } });
    }
  });

  step("is recorded with its former value, unless nothing changed", async () => {
    await set(90);
    await recorded();
    await set(30);
    await set(30);
    const [change, ...more] = await changes();
    expect(more).toEqual([]);
    expect(change).toMatchObject({
      action: "Set how long activities are kept",
      description: "Activities are kept for 30 days",
      userId: admin.user?.id,
      status: "success",
      changes: JSON.stringify({ before: { days: 90 }, after: { days: 30 } }),
    });
  });

  step("says in a plan how many activities are older already, and is as it was", async () => {
    await set(90);
    const plan = async (days: number | null) =>
      (await (await admin.call("POST", "/api/plan/activity.setRetention", { days })).json()).data;
    const changes = [
      { action: "Set how long activities are kept", description: "Activities are kept for 1 day" },
    ];
    expect(await plan(1)).toMatchObject({
      changes,
      summary: "Would remove activities older than 1 day, currently 0",
    });
    expect(await plan(90)).toMatchObject({ changes: [] });
    expect((await plan(null)).summary).toBe("Would keep all activities until someone cleans up");
    expect(await get()).toEqual({ success: true, data: { days: 90 } });
  });

  for (const days of [0, -1, 3_651, 1e9, 1.5, "90", "", true, [[]], {}])
    step(`of ${JSON.stringify(days)} days is refused and changes nothing`, async () => {
      await set(90);
      const answer = await admin.call("PUT", path, { days });
      expect(answer.status).toBe(422);
      expect(await readRefusal(answer)).toMatchObject({ errors: [{ path: "days" }] });
      expect(await get()).toEqual({ success: true, data: { days: 90 } });
    });
});
