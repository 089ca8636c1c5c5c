import { expect, test } from "bun:test";
import { bundledPlugin } from "#api/testing/bundled-plugin.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { createBundledContents } from "./package-source.ts";
import { shippedPlugins } from "./shipped-packages.ts";

test("a clone that was not built says so when a package is to be judged, and can judge it once it is built", async () => {
  const never = { isCore: false, isEnabledAtFirst: false, released: [] };
  const built = await bundledPlugin({ name: "alpha" });
  const [unbuilt = built] = shippedPlugins([
    { manifest: { name: "never-built", version: "1.0.0" }, ...never },
  ]);
  let { packed } = unbuilt;
  const contents = createBundledContents([{ ...built, packed: () => packed() }]);
  expect(await failureOf(contents())).toMatchObject({
    kind: "PLUGIN_UNAVAILABLE",
    message: pluginTexts.notBuilt,
  });
  packed = built.packed;
  expect((await contents()).get("alpha")).toHaveLength(1);
});
