import type { AccountSettings } from "#contract/account-settings.ts";
import type { CoreSettings } from "#contract/core-settings.ts";
import { pageSettingsTexts } from "#contract/page-settings-texts.ts";
import type { Credentials, SettingsChange, SystemStatus, TestResult } from "#contract/settings.ts";
import { ApiError, api } from "#ui/lib/api.ts";

const path = "/api/auth/settings";

/** The parts of what is saved. */
export type Saved = { credentials: Credentials; core: CoreSettings; accounts: AccountSettings };

/** Loads all parts. Throws a {@link LoadFailure} that names the part that did not come. */
export const getSaved = async (): Promise<Saved> => {
  const [credentials, core, accounts] = await Promise.all([
    named(getCredentials(), pageSettingsTexts.credentialsNotLoaded),
    named(getCore(), pageSettingsTexts.coreNotLoaded),
    named(getAccounts(), pageSettingsTexts.accountsNotLoaded),
  ]);
  return { credentials, core, accounts };
};

/** What a page says of settings that did not come, and of why. */
export class LoadFailure extends Error {
  constructor(part: string, cause: unknown) {
    super(isRefusal(cause) ? part : pageSettingsTexts.notLoaded, { cause });
    this.name = "LoadFailure";
  }
}

const named = async <T>(loading: Promise<T>, part: string): Promise<T> => {
  try {
    return await loading;
  } catch (error) {
    throw new LoadFailure(part, error);
  }
};

const isRefusal = (error: unknown) => error instanceof ApiError && error.status > 0;

const getCredentials = async (): Promise<Credentials> =>
  (await api.get<{ data: Credentials }>(`${path}/credentials`)).data;

const getCore = async (): Promise<CoreSettings> =>
  (await api.get<{ data: CoreSettings }>(`${path}/core`)).data;

const getAccounts = async (): Promise<AccountSettings> =>
  (await api.get<{ data: AccountSettings }>(`${path}/accounts`)).data;

/** Saves a change of the external services; resolves to all of them. */
export const putCredentials = async (change: unknown): Promise<Credentials> =>
  (await api.put<{ data: Credentials }>(`${path}/credentials`, change)).data;

/** Saves a change of the core settings; resolves to all of them. */
export const putCore = async (change: unknown): Promise<CoreSettings> =>
  (await api.put<{ data: CoreSettings }>(`${path}/core`, change)).data;

/** Saves a change of the account settings; resolves to all of them. */
export const putAccounts = async (change: unknown): Promise<AccountSettings> =>
  (await api.put<{ data: AccountSettings }>(`${path}/accounts`, change)).data;

/** How the installation stands: firewall, services, the reader's own address. */
/** The installation's state. Of a server of another version it may lack parts that this page knows. */
export type KnownStatus = Pick<SystemStatus, "firewall"> & Partial<SystemStatus>;

export const getStatus = async (): Promise<KnownStatus> => {
  const { data } = await api.get<{ data: KnownStatus }>("/api/system/status");
  if (typeof data?.firewall !== "object") throw new TypeError("the answer says nothing of the firewall");
  return data;
};

/** What the page begins with: the state is `null` where it could not be had, absent where it is late. */
export type Opening = { saved: Saved; status?: KnownStatus | null };

// Whoever waits longer than this for the state would rather have the form.
const patienceMs = 1_500;

/** Loads everything at once, so that nothing moves when the state comes. Throws a {@link LoadFailure}. */
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
export type TestKind = "redis" | "r2" | "rate-limit" | "mail";

/** Tries something. A test that did not work is a rejection like any other failure. */
export const runTest = async (kind: TestKind, body: unknown): Promise<TestResult> => {
  const { data } = await api.post<{ data: { testResult: TestResult } }>(`${path}/test-${kind}`, body);
  return data.testResult;
};

/** A part of the history, newest first; `total` is of all changes. */
export type History = { changes: SettingsChange[]; pagination: { total: number; limit: number } };

/** The newest changes, or those before one. */
export const listChanges = async (before?: number): Promise<History> => {
  const query = before === undefined ? "" : `&before=${before}`;
  return (await api.get<{ data: History }>(`${path}/history?limit=10${query}`)).data;
};

/** Takes a change back, which is a change as well; resolves to it and to what to tell. */
export const revertChange = (id: number): Promise<{ message: string; data: SettingsChange }> =>
  api.post(`${path}/history/${id}/revert`);
