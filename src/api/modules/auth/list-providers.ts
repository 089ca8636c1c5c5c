import type { Context } from "#api/core/context.ts";
import type { ConfiguredProviders } from "./contract.ts";

/** Which providers can be signed in through here. */
export const listProviders = async ({ providers }: Context): Promise<ConfiguredProviders> => ({
  google: providers.google !== null,
  github: providers.github !== null,
});
