import type { BundledPlugin } from "#api/core/plugins.ts";
import { readPackage } from "#api/plugin-host/package/read-package.ts";
import { packPlugin, type TestPackage } from "./plugin-package.ts";
import { rules } from "./signed-packages.ts";

/** A plugin that is part of the executable; neither core nor enabled at first unless told. */
export const bundledPlugin = async (
  pack: TestPackage,
  {
    isCore = false,
    isEnabledAtFirst = false,
    released = [],
  }: Partial<Pick<BundledPlugin, "isCore" | "isEnabledAtFirst" | "released">> = {},
): Promise<BundledPlugin> => {
  const bytes = await packPlugin(pack);
  const { manifest } = await readPackage(bytes, { trust: rules() });
  const { name, version } = manifest;
  return { name, version, manifest, isCore, isEnabledAtFirst, released, packed: async () => bytes };
};
