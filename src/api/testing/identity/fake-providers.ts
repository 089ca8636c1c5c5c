import { openRules } from "#api/adapters/identity-provider/create-identity-providers.ts";
import type { IdentityProvider, IdentityProviders } from "#api/core/context.ts";
import { providerKind, providerLabels, providerNames } from "#contract/users.ts";

/** A provider that knows one person, and whose address shows the state; the two that are named have their labels. */
const fakeProvider = (id: string, change: Partial<IdentityProvider> = {}): IdentityProvider => {
  const name = providerNames.find((known) => known === id);
  return {
    kind: providerKind(id),
    label: name === undefined ? id : providerLabels[name],
    rules: openRules,
    issuer: "https://id.example",
    authorizationUrl: async ({ state }) => `https://id.example/authorize?state=${state}`,
    identify: async () => ({ subject: "1", name: null, email: null, isEmailVerified: false }),
    ...change,
  };
};

/** Such providers, by their ids. */
export const fakeProviders = (...ids: string[]): IdentityProviders =>
  new Map(ids.map((id) => [id, fakeProvider(id)]));
