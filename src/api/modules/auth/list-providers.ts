import type { Context } from "#api/core/context.ts";
import type { ProviderName } from "#contract/users.ts";

/** Which providers can be signed in through here. */
export const listProviders = ({ providers }: Context): Record<ProviderName, boolean> => ({
  google: providers.google !== null,
  github: providers.github !== null,
});
