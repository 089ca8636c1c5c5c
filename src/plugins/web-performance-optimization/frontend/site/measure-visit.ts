import { onCLS, onFCP, onINP, onLCP, onTTFB } from "web-vitals";
import type { SiteApi } from "#plugins/sdk/frontend-types.ts";
import { createVisitNotes } from "./visit-notes.ts";

const longestPath = 300;

/** Measures this visit, and sends what was found whenever the page goes out of sight; returns how to stop. */
export const measureVisit = (api: Pick<SiteApi, "path" | "onNavigate" | "send">): (() => void) => {
  const notes = createVisitNotes(openedPath(), api.path().slice(0, longestPath));
  // All that is measured belongs to the document, so to the page that it was opened with.
  for (const listen of [onTTFB, onFCP, onLCP, onCLS, onINP]) listen(notes.value);
  const stopSteps = api.onNavigate((path) => notes.step(path.slice(0, longestPath)));
  const send = (): void => {
    const beacon = notes.take();
    if (beacon !== null) api.send("/vitals", beacon);
  };
  const onHidden = (): void => {
    if (document.visibilityState === "hidden") send();
  };
  // At the window these come after the measuring has heard that the page is out of sight.
  addEventListener("visibilitychange", onHidden);
  addEventListener("pagehide", send);
  return () => {
    stopSteps();
    removeEventListener("visibilitychange", onHidden);
    removeEventListener("pagehide", send);
  };
};

const openedPath = (): string => {
  const [entry] = performance.getEntriesByType("navigation");
  const url = entry !== undefined && URL.canParse(entry.name) ? new URL(entry.name) : location;
  return url.pathname.slice(0, longestPath);
};
