import type { Manifest } from "#contract/plugin-manifest.ts";

/** The files of one version of a plugin. */
export type PluginFiles = {
  manifest: Manifest;
  /** The first twelve digits of its package's SHA-256, as they stand in addresses. */
  sha12: string;
  /** A file of the package by its path; `null` where the package lists none. */
  read(path: string): Promise<Uint8Array | null>;
};

/** Where the files of plugins come from: those of plugins that are on, and of none else. */
export type AssetSource = {
  /** The version with that hash, as long as it is kept. */
  open(name: string, sha12: string): Promise<PluginFiles | null>;
  /** The version in force. */
  current(name: string): Promise<PluginFiles | null>;
  /** What running plugins want on every page, by their names. */
  siteScripts(): SiteScript[];
};

/** A plugin's script for every page: `script` is its address. */
export type SiteScript = { name: string; version: string; script: string };

/** Where there are no plugins. */
export const noAssets: AssetSource = {
  open: async () => null,
  current: async () => null,
  siteScripts: () => [],
};
