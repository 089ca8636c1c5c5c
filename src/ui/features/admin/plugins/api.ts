import type { Permission, Plugin, PluginDetails, PluginSignature } from "#contract/plugins.ts";
import { ApiError, addressOf, client, errorFromAnswer, parsedJson } from "#ui/lib/api.ts";
import { tellPluginsChanged } from "#ui/lib/plugin-changes.ts";
import { pluginListTexts as texts } from "./plugin-status.ts";

/** What the server tells of a change. */
export type Changed = { message: string; data: Plugin };

/** What a plugin has to be granted before it is enabled, and where it comes from; `sha256` says which package is meant. */
export type WantedConsent = { sha256: string; permissions: Permission[]; signature: PluginSignature };

const downloadMs = 120_000;

/** Every plugin, installed or part of the product, as admins are told of them. */
export const listPlugins = async (): Promise<Plugin[]> =>
  (await client.plugins.list()).data.filter((plugin) => "state" in plugin);

/** Switches a plugin on or off; `agreedTo` grants what that package asks for, by its hash. */
export const togglePlugin = (name: string, enabled: boolean, agreedTo?: string): Promise<Changed> =>
  told(client.plugins.toggle({ name, enabled, ...consentTo(agreedTo) }));

const consentTo = (sha256: string | undefined) => (sha256 === undefined ? {} : { consent: true, sha256 });

/** Has the menus look at the plugins again once a change was made. */
const told = async <T>(change: Promise<T>): Promise<T> => {
  const done = await change;
  tellPluginsChanged();
  return done;
};

/** Puts a stored version in the place of the current one, or tries the current one again. */
export const activateVersion = (name: string, version: string, agreedTo?: string): Promise<Changed> =>
  told(client.plugins.activateVersion({ name, version, ...consentTo(agreedTo) }));

/**
 * Puts another publisher's stored version in the place of the current one, granting all that the package asks for that was
 * agreed to, by its hash.
 */
export const replacePublisher = (
  name: string,
  version: string,
  agreedTo: string | undefined,
): Promise<Changed> =>
  told(
    client.plugins.replacePublisher({
      ...{ name, version, consent: true },
      ...(agreedTo === undefined ? {} : { sha256: agreedTo }),
    }),
  );

/** How a plugin is deleted: its data may stay, and those that need it can be disabled first. */
type Removal = { retainData: boolean; force: boolean };

/** Deletes a plugin; resolves to what to tell. */
export const deletePlugin = async (name: string, { retainData, force }: Removal): Promise<string> => {
  const removal = client.plugins.remove({
    name,
    ...(retainData ? { retainData: "true" } : {}),
    ...(force ? { force: "true" } : {}),
  });
  return (await told(removal)).message;
};

/** The package as it was uploaded. */
export const downloadPlugin = async (name: string): Promise<Blob> => {
  const signal = AbortSignal.timeout(downloadMs);
  const response = await fetch(addressOf("plugins.download", { name }), {
    signal,
    credentials: "same-origin",
  });
  if (response.ok) return response.blob();
  throw errorFromAnswer(response, parsedJson(await response.text()), texts.downloadFailed);
};

/** What a refusal wants granted; `null` for any other failure. */
export const consentWanted = (error: unknown): WantedConsent | null =>
  error instanceof ApiError && error.code === "CONSENT_REQUIRED" ? asConsent(error.data) : null;

/** The server sends these fields with this very code, and checks them against its schema. */
const asConsent = (data: unknown): WantedConsent => data as WantedConsent;

/** A plugin, and the others that it may need or be needed by. */
export type Opened = { plugin: PluginDetails; plugins: Plugin[] };

/** Asks for a plugin and the list of all. */
export const openPlugin = async (name: string): Promise<Opened> => {
  const [plugin, plugins] = await Promise.all([client.plugins.get({ name }), listOthers()]);
  return { plugin: plugin.data, plugins };
};

const listOthers = async (): Promise<Plugin[]> => {
  try {
    return await listPlugins();
  } catch (error) {
    // Only their titles would be missing.
    console.warn("the list of plugins could not be loaded", error);
    return [];
  }
};
