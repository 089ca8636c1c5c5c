import { onCLS, onFCP, onINP, onLCP, onTTFB } from "web-vitals";
import type { SiteApi } from "#plugins/sdk/frontend-types.ts";
import type { Beacon, Metric, SiteFacts } from "../../backend/wire.ts";

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

/** What the plugin's own route tells pages. */
export const asSiteFacts = (json: unknown): SiteFacts => json as SiteFacts;

/** What is known of a visit and was not sent yet. */
type VisitNotes = {
  /** Notes a value; of each measurement only the first, since counts cannot be taken back. */
  value(metric: { id: string; name: Metric; value: number }): void;
  /** Notes that another page is on show. */
  step(to: string): void;
  /** What is to be sent, `null` where there is nothing; it is forgotten here. */
  take(): Beacon | null;
};

const mostValues = 30;
const mostSteps = 20;
const mostValue = 600_000;

/** Begins a visit at the page that the document was opened with, at the page `path` that is on show now. */
export const createVisitNotes = (opened: string, path: string): VisitNotes => {
  const noted = new Set<string>();
  let current = path;
  let values: Beacon["values"] = [];
  let steps: Beacon["steps"] = [];
  return {
    value: ({ id, name, value }) => {
      if (noted.has(id) || values.length >= mostValues) return;
      noted.add(id);
      values.push({
        page: opened,
        metric: name,
        value: Math.min(mostValue, Math.round(value * 1_000) / 1_000),
      });
    },
    step: (to) => {
      if (to !== current && steps.length < mostSteps) steps.push({ from: current, to });
      current = to;
    },
    take: () => {
      if (values.length === 0 && steps.length === 0) return null;
      const beacon = { values, steps };
      values = [];
      steps = [];
      return beacon;
    },
  };
};

/** What browsers say of their visitors' wishes, as far as it is read here; not all of them say all of it. */
type Wishes = {
  doNotTrack?: string | null;
  globalPrivacyControl?: boolean;
  connection?: { saveData?: boolean; effectiveType?: string };
};

/** Whether nothing is to be measured: "Do Not Track" and Global Privacy Control. */
export const isUnwanted = (browser: object): boolean => {
  const { doNotTrack, globalPrivacyControl } = wishesOf(browser);
  return doNotTrack === "1" || globalPrivacyControl === true;
};

/** Whether nothing is to be fetched that nobody has asked for: data is to be saved, or the line is slow. */
export const mustSave = (browser: object): boolean => {
  const { connection } = wishesOf(browser);
  return connection?.saveData === true || /^(?:slow-)?2g$|^3g$/.test(connection?.effectiveType ?? "");
};

/** The types of browsers know only what all of them have. */
const wishesOf = (browser: object): Wishes => browser as Wishes;
