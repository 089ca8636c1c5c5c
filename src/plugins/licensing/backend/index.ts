import type { NativeCtx } from "#plugins/sdk/native-types.ts";
import type { PluginDefinition } from "#plugins/sdk/types.ts";
import { name, version } from "../plugin.json";
import { addRoutes } from "./add-routes.ts";
import { issuerKeys } from "./licence/issuer-keys.ts";
import { createLicenseService } from "./license-service.ts";

const plugin: PluginDefinition<NativeCtx> = {
  name,
  version,
  setup: (ctx) => addRoutes(ctx, createLicenseService({ ctx, issuerKeys, now: () => Date.now() })),
};

export default plugin;
