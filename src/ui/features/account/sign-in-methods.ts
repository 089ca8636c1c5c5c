import type { Account } from "#api/modules/account/contract.ts";
import { type ProviderName, providerNames } from "#contract/users.ts";

/**
 * Whether nothing would open the account any more once this provider were taken off it. A linked provider that the server
 * has not set up lets nobody in.
 */
export const isLastWayIn = (
  { hasPassword, providers }: Pick<Account, "hasPassword" | "providers">,
  provider: ProviderName,
): boolean => {
  const others = providerNames.filter((name) => name !== provider);
  const hasOther = others.some((name) => providers[name].linked && providers[name].configured);
  return providers[provider].linked && !hasPassword && !hasOther;
};
