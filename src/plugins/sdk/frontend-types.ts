import type { ComponentType } from "react";
import type { AdminPanel, Json, Method } from "./types.ts";

/** What a frontend gets to work with, in a frame and in the host's window alike. */
export type FrontendApi = {
  readonly plugin: { readonly name: string; readonly version: string };
  /** The plugin's settings when it was opened; secrets are not among them. */
  readonly settings: Readonly<Record<string, Json>>;
  /** Where in the plugin's page the reader is: empty, or what follows `/admin/plugins/{name}`, such as `/reports`. */
  readonly path: string;
  readonly theme: "light" | "dark";
  /**
   * Calls a route of the plugin's own backend as the admin who looks at the page: `call("GET", "/notes?limit=5")`. Resolves
   * to the JSON that it answers; rejects with an {@link Error} that has the answer's words, and its `status`.
   */
  call(method: Method, path: string, body?: Json): Promise<Json>;
  /** Shows a passing notice under the plugin's title. */
  notify(text: string): void;
  /** Leads the reader to another place in the plugin's own page, such as `/reports`. */
  navigate(path: string): void;
  /** Hears when the theme or the path is another; returns how to stop. */
  on(event: "theme" | "path", listener: (value: string) => void): () => void;
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
  Page?: ComponentType<{ api: FrontendApi }>;
  /** Stands over every page of the admin area; the manifest has to say `overlay`. */
  Overlay?: ComponentType;
  /** Wins over the manifest's. */
  adminPanel?: AdminPanel;
};
