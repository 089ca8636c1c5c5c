import { join } from "node:path";
import type { BundledPlugin } from "#api/core/plugins.ts";
import { syncBundled } from "#api/modules/plugins/index.ts";
import { buildFolder } from "#api/plugin-host/author/build-folder.ts";
import { packFolder } from "#api/plugin-host/package/pack.ts";
import { readPackage } from "#api/plugin-host/package/read-package.ts";
import { createTestHost, type TestClient, type TestHost, type TestHostOptions } from "./host.ts";
import { type LivePluginsOptions, livePlugins } from "./live-plugins.ts";
import { rules } from "./signed-packages.ts";

/** A host with the shipped firewall running on it. */
export type LiveFirewall = {
  host: TestHost;
  admin: TestClient;
  /** Changes switches; expects it to go well. */
  config(patch: Record<string, boolean | number>): Promise<void>;
};

const folder = join(import.meta.dir, "../../plugins");

const shipped = async (name: string, isCore: boolean): Promise<BundledPlugin> => {
  const bytes = packFolder(await buildFolder(join(folder, name)));
  const { manifest } = await readPackage(bytes, { trust: rules() });
  return {
    name,
    version: manifest.version,
    manifest,
    isCore,
    isEnabledAtFirst: isCore,
    released: [],
    packed: async () => bytes,
  };
};

let built: Promise<BundledPlugin[]> | null = null;

/** Starts a host, and enables the firewall on it; its master switch is off. */
export const startLiveFirewall = async (
  options: TestHostOptions = {},
  { countryOf = null }: Pick<LivePluginsOptions, "countryOf"> = {},
): Promise<LiveFirewall> => {
  built ??= Promise.all([shipped("licensing", true), shipped("firewall", false)]);
  const host = await createTestHost({
    ...options,
    livePlugins: livePlugins({ bundled: await built, countryOf }),
  });
  await syncBundled(host.services);
  const admin = await host.signedIn("admin");
  const enabled = await admin.call("POST", "/api/plugins/firewall/toggle", { enabled: true });
  if (enabled.status !== 200) throw new Error(`the firewall was not enabled: ${await enabled.text()}`);
  return {
    host,
    admin,
    config: async (patch) => {
      const answer = await admin.call("PUT", "/api/firewall/config", patch);
      if (answer.status !== 200) throw new Error(`nothing was saved: ${await answer.text()}`);
    },
  };
};
