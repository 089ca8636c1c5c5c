import { type ProviderName, providerLabels, providerNames } from "#contract/users.ts";

/** How an attempt to link a provider ended, as the address tells that the reader came back with. */
export type LinkOutcome = { step: "linked"; label: string } | { step: "failed" } | null;

/** Reads `?linked=google` and `?error=link_failed`; whatever else stands there is nobody's outcome. */
export const readLinkOutcome = (search: URLSearchParams): LinkOutcome => {
  if (search.get("error") === "link_failed") return { step: "failed" };
  const linked = search.get("linked");
  const name = providerNames.find((known): known is ProviderName => known === linked);
  return name === undefined ? null : { step: "linked", label: providerLabels[name] };
};
