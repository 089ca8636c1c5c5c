import type { SiteApi } from "#plugins/sdk/frontend-types.ts";
import type { SiteFacts } from "../../backend/wire.ts";
import { mustSave } from "./visitor-wishes.ts";

/** Fetches the code of the pages that visitors most often go to from the one on show; returns how to stop. */
export const fetchAhead = (
  api: Pick<SiteApi, "path" | "onNavigate" | "prefetch">,
  next: SiteFacts["next"],
): (() => void) => {
  const fetchFrom = (path: string): void => {
    if (mustSave(navigator)) return;
    const likely = Object.hasOwn(next, path) ? next[path] : undefined;
    for (const page of likely ?? []) api.prefetch(page);
  };
  fetchFrom(api.path());
  return api.onNavigate(fetchFrom);
};
