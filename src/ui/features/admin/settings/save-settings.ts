import type { Credentials, CredentialsChange } from "#api/modules/settings/contract.ts";
import type { AccountSettings, CoreSettings } from "#contract/core-settings.ts";
import type { ChangeOf } from "#contract/define-settings.ts";
import { pageSettingsTexts } from "#contract/settings-texts.ts";
import { sortServerErrors } from "#ui/components/ui/form-rules.ts";
import { ApiError } from "#ui/lib/api.ts";
import { changeOf, type Draft, type DraftPath, draftPaths, partOf } from "./draft.ts";
import type { DraftErrors } from "./draft-complaints.ts";

/** How a saving went, part by part. */
export type SaveOutcome = {
  /** What is saved now, of the part that was saved. */
  credentials: Credentials | null;
  core: CoreSettings | null;
  accounts: AccountSettings | null;
  /** What was saved, in a sentence; `null` when nothing was. */
  success: string | null;
  /** What was not, a sentence each. */
  problems: string[];
  refusals: DraftErrors;
};

type SaveInput = {
  draft: Draft;
  /** The fields to save. */
  changed: readonly DraftPath[];
  isManaged: boolean;
  putCredentials: (change: CredentialsChange) => Promise<Credentials>;
  putCore: (change: ChangeOf<CoreSettings>) => Promise<CoreSettings>;
  putAccounts: (change: ChangeOf<AccountSettings>) => Promise<AccountSettings>;
};

/**
 * Saves what was changed: the external services, then the account settings, then the core settings unless the firewall
 * manages them. A part that fails does not keep the others from being saved. Never throws.
 */
export const saveSettings = async (input: SaveInput): Promise<SaveOutcome> => {
  const { draft, changed, isManaged } = input;
  const pathsOf = (part: ReturnType<typeof partOf>) => changed.filter((path) => partOf(path) === part);
  const services = await attempt(input.putCredentials, {
    ...words.services,
    ...{ draft, paths: pathsOf("credentials") },
  });
  const putAccounts = (change: { accounts: ChangeOf<AccountSettings> }) => input.putAccounts(change.accounts);
  const accounts = await attempt(putAccounts, { ...words.accounts, draft, paths: pathsOf("accounts") });
  const corePaths = isManaged ? [] : pathsOf("core");
  const core = await attempt(input.putCore, { ...words.core, draft, paths: corePaths });
  const problems = [...services.problems, ...accounts.problems, ...core.problems];
  return {
    credentials: services.saved,
    core: core.saved,
    accounts: accounts.saved,
    success: successOf({ services, accounts, core, isManaged }),
    problems,
    refusals: { ...services.refusals, ...accounts.refusals, ...core.refusals },
  };
};

type Attempt<T> = { saved: T | null; problems: string[]; refusals: DraftErrors };
type Part = {
  draft: Draft;
  paths: readonly DraftPath[];
  failed: string;
  because: (message: string) => string;
};

const words = {
  services: { failed: pageSettingsTexts.servicesNotSaved, because: pageSettingsTexts.servicesError },
  accounts: { failed: pageSettingsTexts.accountsNotSaved, because: pageSettingsTexts.accountsError },
  core: { failed: pageSettingsTexts.coreNotSaved, because: pageSettingsTexts.coreError },
};

const attempt = async <Change extends object, T>(
  put: (change: Change) => Promise<T>,
  part: Part,
): Promise<Attempt<T>> => {
  const change = changeOf<Change>(part.draft, part.paths);
  if (change === null) return { saved: null, problems: [], refusals: {} };
  try {
    return { saved: await put(change), problems: [], refusals: {} };
  } catch (error) {
    return { saved: null, ...explained(error, part) };
  }
};

const explained = (error: unknown, { draft, failed, because }: Part): Omit<Attempt<never>, "saved"> => {
  if (!(error instanceof ApiError)) {
    console.error("saving settings failed", error);
    return { problems: [pageSettingsTexts.unexpectedError], refusals: {} };
  }
  const { fields, rest } = sortServerErrors(draftPaths(draft), error.errors);
  // What stands beside a field need not be said twice.
  const isPlaced = draftPaths(fields).length > 0 || error.code === "UNKNOWN";
  const reason = rest[0] ?? error.message;
  return { problems: [isPlaced && rest.length === 0 ? failed : because(reason)], refusals: fields };
};

type Success = Record<"services" | "accounts" | "core", Attempt<unknown>> & { isManaged: boolean };

const successOf = ({ services, accounts, core, isManaged }: Success): string | null => {
  const parts = [services, accounts, core];
  if (parts.every(({ saved }) => saved === null)) return null;
  const isWhole = parts.every(({ problems }) => problems.length === 0);
  if (isWhole && isManaged && services.saved !== null) return pageSettingsTexts.servicesSavedOnly;
  if (isWhole && !isManaged) return pageSettingsTexts.allSaved;
  if (services.saved !== null) return pageSettingsTexts.servicesSaved;
  if (accounts.saved !== null) return pageSettingsTexts.accountsSaved;
  return pageSettingsTexts.coreSaved;
};
