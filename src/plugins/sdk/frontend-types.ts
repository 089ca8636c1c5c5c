import type { ComponentType } from "react";
import type { AdminPanel, Json, Method } from "./types.ts";

/** What a frontend gets to work with, in a frame and in the host's window alike. */
export type FrontendApi = {
  readonly plugin: { readonly name: string; readonly version: string };
  /** The plugin's settings when it was opened; secrets are not among them. */
  readonly settings: Readonly<Record<string, Json>>;
  /** Where in the plugin's page the reader is: empty, or what follows the page's own address, such as `/reports`. */
  readonly path: string;
  readonly theme: "light" | "dark";
  /**
   * Calls a route of the plugin's own backend as the admin who looks at the page: `call("GET", "/notes?limit=5")`. Resolves
   * to the JSON that it answers; rejects with an {@link Error} that has the answer's words, its `status`, and as `errors` what
   * the route's schema refused: `{ path, message }[]`.
   */
  call(method: Method, path: string, body?: Json): Promise<Json>;
  /** Shows a passing notice under the plugin's title. */
  notify(text: string): void;
  /** Leads the reader to another place in the plugin's own page, such as `/reports`. */
  navigate(path: string): void;
  /** Hears when the theme or the path is another; returns how to stop. */
  on(event: "theme" | "path", listener: (value: string) => void): () => void;
};

/** What a frontend in the host's window gets besides. */
export type WindowApi = FrontendApi & {
  /** The address of a place in the plugin's own page, for links: `addressOf("/reports")`. */
  addressOf(path: string): string;
};

/** The default export of a frontend in a frame, with the manifest's `name` and `version`. */
export type FrameFrontend = {
  name: string;
  version: string;
  /** Fills the root element of the frame's document. */
  mount(root: HTMLElement, api: FrontendApi): void | Promise<void>;
};

/** The default export of a frontend in the host's window, with the manifest's `name` and `version`. */
export type WindowFrontend = {
  name: string;
  version: string;
  /** The plugin's page. */
  Page?: ComponentType<{ api: WindowApi }>;
  /** Stands over every page of the admin area; the manifest has to say `overlay`. */
  Overlay?: ComponentType;
  /** Wins over the manifest's, for a plugin with an overlay: the script of any other is loaded with its page alone. */
  adminPanel?: AdminPanel;
};

/** What a plugin may put into a place of the interface: plain text, with a link and a longer text for who points at it. */
export type SlotContent = { text: string; href?: string; title?: string };

/** What a site script gets to work with. */
export type SiteApi = {
  readonly plugin: { readonly name: string; readonly version: string };
  /** The path of the page on show. */
  path(): string;
  /** Hears of each other page that is shown afterwards, by its path; returns how to stop. */
  onNavigate(listener: (path: string) => void): () => void;
  /** Fills a place of the interface: `licensing` is in the footer of every page of the site. Returns how to empty it. */
  fillSlot(name: "licensing", content: SlotContent): () => void;
  /** Fetches the code of a page that is likely next. */
  prefetch(path: string): void;
  /**
   * Sends JSON to one of the plugin's own public routes (`POST`), as nobody: without cookies, also while the page is being
   * left, and without telling what became of it.
   */
  send(path: string, json: Json): void;
  /** Asks one of the plugin's own public routes (`GET`), as nobody. Rejects where it does not answer with JSON. */
  get(path: string): Promise<Json>;
};

/**
 * The default export of a site script, with the manifest's `name` and `version`: one that runs on every page, for every
 * visitor, once the page has come to rest. The manifest names it as `frontend.site`; it needs `ui.site`.
 */
export type SiteFrontend = {
  name: string;
  version: string;
  /** What it returns is called when the plugin is switched off or replaced while the page is open. */
  start(api: SiteApi): (() => void) | undefined;
};
