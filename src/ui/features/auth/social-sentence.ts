import { type ProviderName, providerLabels, providerNames } from "#contract/users.ts";
import { originFrom } from "#ui/lib/origin.ts";
import type { Providers } from "./providers.ts";
import { authScreenTexts as texts } from "./texts.ts";

/** What stands under the social buttons: which of them cannot be used and why, else how they work. */
export const socialSentence = (providers: Providers): string => {
  if (providers.step === "failed") return texts.socialFailed;
  if (providers.step === "unknown") return texts.socialUnknown;
  const missing = providerNames.filter((name) => !providers.isConfigured[name]);
  if (missing.length === 0) return texts.socialReady;
  return texts.socialMissing(missing.map((name) => providerLabels[name]));
};

/** Where the sign-in with a provider begins; it ends at the `from` of the page's query, else at the dashboard. */
export const providerPath = (name: ProviderName, search: string): string =>
  `/api/auth/${name}?returnTo=${encodeURIComponent(originFrom(search))}`;
