import { AppError } from "#api/core/app-error.ts";
import { type ProviderName, providerNames } from "#contract/users.ts";

/** The provider with this name in a path. Throws `NOT_FOUND` for any other. */
export const providerNamed = (name: string): ProviderName => {
  const provider = providerNames.find((known) => known === name);
  if (provider === undefined) throw new AppError("NOT_FOUND");
  return provider;
};
