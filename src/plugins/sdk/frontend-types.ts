import type { ComponentType } from "react";
import type { AdminPanel, Json, Method } from "./types.ts";

/** What a frontend gets, in a frame and in the host's window. */
export type FrontendApi = {
  readonly plugin: { readonly name: string; readonly version: string };
  /** The plugin's settings when it was opened, without secrets. */
  readonly settings: Readonly<Record<string, Json>>;
  /** Path within the plugin's page: empty, or what follows the page's own path, such as `/reports`. */
  readonly path: string;
  readonly theme: "light" | "dark";
  /**
   * Calls a route of the plugin's backend as the admin who opened the page: `call("GET", "/notes?limit=5")`. Resolves
   * to the JSON response; rejects with an {@link Error} that has the response's message, its `status`, and in `errors` what
   * the route's schema refused: `{ path, message }[]`. If the route requires proof, the admin is first asked to confirm who they
   * are, outside the plugin's page.
   */
  call(method: Method, path: string, body?: Json): Promise<Json>;
  /** Shows a temporary notice under the plugin's title. */
  notify(text: string): void;
  /** Navigates within the plugin's page, such as to `/reports`. */
  navigate(path: string): void;
  /** Calls the listener when the theme or the path changes; returns a function that stops it. */
  on(event: "theme" | "path", listener: (value: string) => void): () => void;
};

/** What a frontend in the host's window also gets. */
export type WindowApi = FrontendApi & {
  /** The URL of a path within the plugin's page, for links: `addressOf("/reports")`. */
  addressOf(path: string): string;
};

/** The default export of a frontend in a frame, with the manifest's `name` and `version`. */
export type FrameFrontend = {
  name: string;
  version: string;
  /** Renders into the root element of the frame's document. */
  mount(root: HTMLElement, api: FrontendApi): void | Promise<void>;
};

/** The default export of a frontend in the host's window, with the manifest's `name` and `version`. */
export type WindowFrontend = {
  name: string;
  version: string;
  /** The plugin's page. */
  Page?: ComponentType<{ api: WindowApi }>;
  /** Shown over every page of the admin area; needs `overlay` in the manifest. */
  Overlay?: ComponentType;
  /**
   * Overrides the manifest's panel if the plugin has an overlay; other plugins' scripts are only loaded with their
   * page.
   */
  adminPanel?: AdminPanel;
};

/** What a plugin can show in a slot of the interface: plain text, with an optional link and tooltip. */
export type SlotContent = { text: string; href?: string; title?: string };

/** What a site script gets. */
export type SiteApi = {
  readonly plugin: { readonly name: string; readonly version: string };
  /** The path of the current page. */
  path(): string;
  /** Calls the listener with the path of each page shown later; returns a function that stops it. */
  onNavigate(listener: (path: string) => void): () => void;
  /** Fills a slot of the interface: `licensing` is in the footer of every page. Returns a function that empties it. */
  fillSlot(name: "licensing", content: SlotContent): () => void;
  /** Prefetches the code of a page that is likely to be opened next. */
  prefetch(path: string): void;
  /**
   * Sends JSON to one of the plugin's public routes (`POST`) without cookies, even while the page is being left. The
   * outcome is not reported.
   */
  send(path: string, json: Json): void;
  /** Requests one of the plugin's public routes (`GET`) without cookies. Rejects if the response is not JSON. */
  get(path: string): Promise<Json>;
};

/**
 * The default export of a site script, with the manifest's `name` and `version`: one that runs on every page, for every
 * visitor, after the page has loaded. The manifest names it as `frontend.site`; it needs `ui.site`.
 */
export type SiteFrontend = {
  name: string;
  version: string;
  /** The returned function is called when the plugin is disabled or replaced while the page is open. */
  start(api: SiteApi): (() => void) | undefined;
};
