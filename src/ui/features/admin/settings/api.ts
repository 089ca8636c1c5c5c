import type { Credentials, SiteAnswer } from "#api/modules/settings/contract.ts";
import type { SystemStatus } from "#api/modules/system/contract.ts";
import type { AccountSettings, CoreSettings } from "#contract/core-settings.ts";
import { pageSettingsTexts } from "#contract/settings.ts";
import { ApiError, client } from "#ui/lib/api.ts";

/** The parts of what is saved. */
export type Saved = {
  credentials: Credentials;
  core: CoreSettings;
  accounts: AccountSettings;
  site: SiteAnswer;
};

/** The parts that a page has loaded. */
export type Loaded = { [Part in keyof Saved]?: Saved[Part] | undefined };

/** Loads the parts that the page of settings shows. Throws a {@link LoadFailure} that names the part that did not come. */
export const getSaved = async (): Promise<Omit<Saved, "site">> => {
  const [credentials, core, accounts] = await Promise.all([
    named(client.settings.credentials(), pageSettingsTexts.credentialsNotLoaded),
    named(client.settings.core(), pageSettingsTexts.coreNotLoaded),
    named(client.settings.accounts(), pageSettingsTexts.accountsNotLoaded),
  ]);
  return { credentials, core, accounts };
};

/** Loads the part that the page of the site shows. Throws as {@link getSaved} does. */
export const getSavedSite = async (): Promise<Pick<Saved, "site">> => ({
  site: await named(client.settings.site(), pageSettingsTexts.siteNotLoaded),
});

/** What a page says of settings that did not come, and of why. */
export class LoadFailure extends Error {
  constructor(part: string, cause: unknown) {
    super(isRefusal(cause) ? part : pageSettingsTexts.notLoaded, { cause });
    this.name = "LoadFailure";
  }
}

const named = async <T>(loading: Promise<{ data: T }>, part: string): Promise<T> => {
  try {
    return (await loading).data;
  } catch (error) {
    throw new LoadFailure(part, error);
  }
};

const isRefusal = (error: unknown) => error instanceof ApiError && error.status > 0;

/** The installation's state. Of a server of another version it may lack parts that this page knows. */
export type KnownStatus = Pick<SystemStatus, "firewall"> & Partial<SystemStatus>;

export const getStatus = async (): Promise<KnownStatus> => {
  const data: KnownStatus = (await client.system.status()).data;
  if (typeof data?.firewall !== "object") throw new TypeError("the answer says nothing of the firewall");
  return data;
};

/** What the page begins with: the state is `null` where it could not be had, absent where it is late. */
export type Opening = { saved: Omit<Saved, "site">; status?: KnownStatus | null };

// Anyone who waits longer than this for the state would rather have the form.
const patienceMs = 1_500;

/** Loads everything together, so that nothing moves when the state comes. Throws a {@link LoadFailure}. */
export const getOpening = async (): Promise<Opening> => {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patienceMs));
  const status = getStatus().catch((error: unknown) => {
    // That the state is not known is shown in its place.
    console.warn("the system's state could not be loaded", error);
    return null;
  });
  const [saved, known] = await Promise.all([getSaved(), Promise.race([status, late])]);
  return known === undefined ? { saved } : { saved, status: known };
};

/** What can be tried for real. */
export type TestKind = "redis" | "r2" | "rate-limit" | "mail" | "provider";
