import { expect, test } from "bun:test";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { recordUpgrade } from "./operations.ts";

const host = await hostForFile();

test("the log tells once of each change of version, and nothing of a new installation", async () => {
  const told = createActivityReader(host.services);
  await recordUpgrade(host.services, "1.0.0");
  await recordUpgrade(host.services, "1.0.0");
  expect(await told()).toEqual([]);
  // Two replicas that start at the same time.
  await Promise.all([recordUpgrade(host.services, "1.1.0"), recordUpgrade(host.services, "1.1.0")]);
  await recordUpgrade(host.services, "1.1.0");
  expect(await told()).toMatchObject([
    { actorKind: "system", action: "Changed the version of Atrium", description: "From 1.0.0 to 1.1.0" },
  ]);
  await recordUpgrade(host.services, "1.0.0");
  expect(await told()).toMatchObject([{ description: "From 1.1.0 to 1.0.0" }]);
});
