import { useSyncExternalStore } from "react";
import { type Site, siteElementId, siteOf, unsetSite } from "#contract/site.ts";

const given = (): Site => {
  const text = typeof document === "undefined" ? null : document.getElementById(siteElementId)?.textContent;
  return text ? JSON.parse(text) : siteOf(unsetSite);
};

let shown: Site | undefined;
const listeners = new Set<() => void>();

/** What the site is called and who runs it, as the page was loaded with it unless `setSite` says otherwise. */
export const shownSite = (): Site => {
  shown ??= given();
  return shown;
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The same for components. */
export const useSite = (): Site => useSyncExternalStore(subscribe, shownSite, shownSite);

/** Has pages say something else of the site, as when they are rendered ahead of time; `null` for what the page brought. */
export const setSite = (site: Site | null): void => {
  shown = site ?? undefined;
  for (const listener of listeners) listener();
};

/** What browsers call a page of the admin area. */
export const adminTitle = (title: string, { name }: Site): string => `${title} · ${name} admin`;
