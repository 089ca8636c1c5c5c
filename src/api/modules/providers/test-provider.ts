import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { redirectUriOf } from "#api/core/providers.ts";
import type { ProviderTarget } from "#api/core/settings.ts";
import { readSettings, runTest, toOidcProvider } from "#api/modules/settings/index.ts";
import { providerTexts } from "#contract/provider-settings.ts";
import { settingsTexts } from "#contract/settings.ts";
import { addedProvider, checkedSettings, refuseLocked, secretComplaint } from "./change-providers.ts";
import type { TestProviderInput } from "./contract.ts";

/**
 * Tries a provider as it is stored, or as it would be with a change, and changes nothing. For admins in a session and the
 * operator. Throws a 422 for invalid fields, with nothing sent, `NOT_FOUND`, `CONFLICT` and `TEST_FAILED`.
 */
export const testProvider = (ctx: Context, input: TestProviderInput) =>
  runTest(ctx, {
    action: "Tested a sign-in provider",
    titles: { works: providerTexts.testWorks, fails: settingsTexts.providerFails },
    test: async () => ctx.connectionTests.provider(await targetOf(ctx, input)),
  });

const targetOf = async (
  ctx: Context,
  { provider: id, clientSecret = "", ...change }: TestProviderInput,
): Promise<ProviderTarget> => {
  const redirectUri = redirectUriOf(ctx.appUrl, id);
  const isChanged = clientSecret !== "" || Object.keys(change).length > 0;
  const ofEnvironment = ctx.environmentProviders.find((provider) => provider.id === id);
  if (ofEnvironment !== undefined) {
    if (isChanged) refuseLocked(ctx, id);
    if (ofEnvironment.kind === "github") throw new AppError("CONFLICT", providerTexts.notOpenId);
    return { ...ofEnvironment, redirectUri };
  }
  const stored = await readSettings(ctx.db, ctx.secrets);
  const former = addedProvider(stored.providers, id);
  if (former === undefined && !isChanged) throw new AppError("NOT_FOUND", providerTexts.unknown);
  const settings = await checkedSettings(ctx, stored, { id, former, change });
  const held = Object.hasOwn(stored.clientSecrets, id) ? stored.clientSecrets[id] : undefined;
  const entered = clientSecret.trim();
  const message = entered === "" ? secretComplaint(held, former?.issuer, settings.issuer) : null;
  if (message !== null) throw validationError([{ path: "clientSecret", message }]);
  return { ...toOidcProvider(id, settings, entered || (held?.value ?? "")), redirectUri };
};
