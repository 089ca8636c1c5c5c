import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Credentials, CredentialsChange, SiteAnswer } from "#api/modules/settings/contract.ts";
import type { AccountSettings, CoreSettings, DeclaredName } from "#contract/core-settings.ts";
import type { ChangeOf } from "#contract/define-settings.ts";
import type { FieldError } from "#contract/errors.ts";
import { pageSettingsTexts } from "#contract/settings.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import { sortServerErrors } from "#ui/components/ui/use-form.ts";
import { ApiError, client } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import type { Loaded, Saved } from "./api.ts";
import {
  changedPaths,
  changeOf,
  type Draft,
  type DraftErrors,
  type DraftPath,
  draftComplaints,
  draftPaths,
  formPath,
  isLockedByFirewall,
  partOf,
  pick,
  rebase,
  type SavedSettings,
  savedSettings,
} from "./draft.ts";
import { settingsPageTexts } from "./texts.ts";

/** The form of all settings: what is in it, what is wrong with it, and what can be done. */
export type SettingsForm = {
  draft: Draft;
  saved: SavedSettings;
  /** The rules' complaints, and the server's about what still stands as it was sent. */
  errors: DraftErrors;
  changed: DraftPath[];
  isManaged: boolean;
  /** Fields that the operator has set in a file, which no one can change here. */
  locked: readonly DraftPath[];
  isSaving: boolean;
  /** Why the last saving failed, a sentence each; gone with the next change. */
  problems: string[];
  /** Whether it failed because the reader has no second factor. */
  needsFactor: boolean;
  set: <Path extends DraftPath>(path: Path, value: Draft[Path]) => void;
  /** Shows complaints of the server beside their fields; resolves to those about none of them. */
  refuse: (errors: readonly FieldError[]) => string[];
  save: () => Promise<void>;
  discard: () => void;
  /** Takes over what others saved in the meantime; what was typed stays. */
  adopt: (saved: Loaded) => void;
};

type Options = {
  /** The parts that the form has. */
  initial: Loaded;
  isManaged: boolean;
  form: RefObject<HTMLFormElement | null>;
  /** What is saved with what was changed, such as something that follows from it. Must not throw. */
  complete?: (draft: Draft, changed: readonly DraftPath[]) => Promise<Partial<Draft>>;
  onSaved: () => void;
};

type State = Loaded & { draft: Draft; refusals: DraftErrors; problems: string[]; needsFactor: boolean };

/** State of the settings' form. */
export const useSettingsForm = ({ initial, isManaged, form, complete, onSaved }: Options): SettingsForm => {
  const [state, setState] = useState<State>(() => ({
    ...initial,
    draft: savedSettings(initial).draft,
    refusals: {},
    ...noProblems,
  }));
  const [isSaving, setIsSaving] = useState(false);
  const isRunning = useRef(false);
  const focusError = useFocusOnError(form);
  const { credentials, core, accounts, site, draft, refusals, problems, needsFactor } = state;
  const saved = useMemo(
    () => savedSettings({ credentials, core, accounts, site }),
    [credentials, core, accounts, site],
  );
  const isOpen = (path: DraftPath) => !(isManaged && isLockedByFirewall(path));
  const changed = changedPaths(draft, saved.draft).filter(isOpen);
  const errors = only({ ...refusals, ...draftComplaints(draft, saved) }, isOpen);

  const save = async () => {
    // A second press while the first is under way is the same wish.
    if (isRunning.current) return;
    if (draftPaths(errors).length > 0) {
      setState((now) => ({ ...now, problems: [pageSettingsTexts.fixBeforeSaving] }));
      return focusError();
    }
    if (changed.length === 0) return notify({ tone: "info", message: settingsPageTexts.nothingToSave });
    isRunning.current = true;
    setIsSaving(true);
    const more = (await complete?.(draft, changed)) ?? {};
    const whole = { ...draft, ...more };
    const sending = changedPaths(whole, saved.draft).filter(isOpen);
    const outcome = await saveSettings({
      ...{ draft: whole, changed: sending, isManaged },
      putCredentials: async (change) => (await client.settings.setCredentials(change)).data,
      putCore: async (change) => (await client.settings.setCore(change)).data,
      putAccounts: async (change) => (await client.settings.setAccounts(change)).data,
      putSite: async (change) => (await client.settings.setSite(change)).data,
    });
    setState((now) => {
      const { refusals, problems, needsFactor } = outcome;
      const next = { ...now, draft: { ...now.draft, ...more }, refusals, problems, needsFactor };
      const sent = sending.filter((path) => outcome[partOf(path)] !== null);
      return adopted(next, outcome, pick(whole, sent));
    });
    isRunning.current = false;
    setIsSaving(false);
    if (outcome.success !== null) notify({ tone: "success", message: outcome.success });
    if (draftPaths(outcome.refusals).length > 0) focusError();
    if (outcome.success !== null || outcome.problems.length > 0) onSaved();
  };

  return {
    draft,
    saved,
    errors,
    changed,
    isManaged,
    locked: (site?.locked ?? []).map(({ path }) => formPath("site", path)),
    isSaving,
    problems,
    needsFactor,
    set: (path, value) =>
      setState((now) => ({
        ...now,
        draft: { ...now.draft, [path]: value },
        // What the server said of the old text says nothing of the new, and a new endpoint needs other secrets.
        refusals: only(now.refusals, (refused) => sectionOf(refused) !== sectionOf(path)),
        ...noProblems,
      })),
    refuse: (found) => {
      const { fields, rest } = sortServerErrors(draftPaths(draft), found);
      setState((now) => ({ ...now, refusals: { ...now.refusals, ...fields } }));
      return rest;
    },
    save,
    discard: () => setState((now) => ({ ...now, draft: saved.draft, refusals: {}, ...noProblems })),
    adopt: (next) => setState((now) => adopted(now, next, {})),
  };
};

const noProblems = { problems: [], needsFactor: false };

/** The state over what is saved now; fields that still stand as they were sent count as saved. */
const adopted = (
  state: State,
  saved: { [Part in keyof Saved]?: Saved[Part] | null | undefined },
  sent: Partial<Draft>,
): State => {
  const parts = {
    credentials: saved.credentials ?? state.credentials,
    core: saved.core ?? state.core,
    accounts: saved.accounts ?? state.accounts,
    site: saved.site ?? state.site,
  };
  const base = { ...savedSettings(state).draft, ...sent };
  return { ...state, ...parts, draft: rebase(state.draft, base, savedSettings(parts).draft) };
};

const only = (errors: DraftErrors, isWanted: (path: DraftPath) => boolean): DraftErrors =>
  Object.fromEntries(draftPaths(errors).flatMap((path) => (isWanted(path) ? [[path, errors[path]]] : [])));

const sectionOf = (path: DraftPath) => path.slice(0, path.indexOf("."));

// The errors are on the page only once it was rendered with them.
const useFocusOnError = (form: RefObject<HTMLFormElement | null>) => {
  const [requests, setRequests] = useState(0);
  useEffect(() => {
    if (requests === 0) return;
    const field = form.current?.querySelector("[aria-invalid=true]");
    if (!(field instanceof HTMLElement)) return;
    field.focus();
    // The bar at the foot has become taller with why saving failed.
    document.getElementById(`${field.id}-error`)?.scrollIntoView({ block: "nearest" });
  }, [requests, form]);
  return () => setRequests((count) => count + 1);
};

/** How a saving went, part by part. */
type SaveOutcome = {
  /** What is saved now, of the part that was saved. */
  credentials: Credentials | null;
  core: CoreSettings | null;
  accounts: AccountSettings | null;
  site: SiteAnswer | null;
  /** What was saved, in a sentence; `null` when nothing was. */
  success: string | null;
  /** What was not, a sentence each. */
  problems: string[];
  needsFactor: boolean;
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
  putSite: (change: ChangeOf<SiteSettings>) => Promise<SiteAnswer>;
};

/**
 * Saves what was changed: the external services, then the account and site settings, then the core settings unless the firewall
 * manages them. A part that fails does not keep the others from being saved. Never throws.
 */
export const saveSettings = async (input: SaveInput): Promise<SaveOutcome> => {
  const { draft, changed, isManaged } = input;
  const pathsOf = (part: ReturnType<typeof partOf>) => changed.filter((path) => partOf(path) === part);
  const services = await attempt(input.putCredentials, {
    ...words.services,
    ...{ draft, paths: pathsOf("credentials") },
  });
  const accounts = await attempt(input.putAccounts, { ...words.accounts, draft, paths: pathsOf("accounts") });
  const site = await attempt(input.putSite, { ...words.site, draft, paths: pathsOf("site") });
  const corePaths = isManaged ? [] : pathsOf("core");
  const core = await attempt(input.putCore, { ...words.core, draft, paths: corePaths });
  const problems = [...services.problems, ...accounts.problems, ...site.problems, ...core.problems];
  return {
    credentials: services.saved,
    core: core.saved,
    accounts: accounts.saved,
    site: site.saved,
    success: successOf({ services, accounts, site, core, isManaged }),
    problems,
    needsFactor: accounts.code === "SECOND_FACTOR_FIRST",
    refusals: { ...services.refusals, ...accounts.refusals, ...site.refusals, ...core.refusals },
  };
};

type Attempt<T> = {
  saved: T | null;
  problems: string[];
  refusals: DraftErrors;
  code?: ApiError["code"];
};
type Part = {
  part: DeclaredName;
  draft: Draft;
  paths: readonly DraftPath[];
  failed: string;
  because: (message: string) => string;
};

const words = {
  services: {
    part: "credentials",
    failed: pageSettingsTexts.servicesNotSaved,
    because: pageSettingsTexts.servicesError,
  },
  accounts: {
    part: "accounts",
    failed: pageSettingsTexts.accountsNotSaved,
    because: pageSettingsTexts.accountsError,
  },
  site: { part: "site", failed: pageSettingsTexts.siteNotSaved, because: pageSettingsTexts.siteError },
  core: { part: "core", failed: pageSettingsTexts.coreNotSaved, because: pageSettingsTexts.coreError },
} as const;

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

const explained = (error: unknown, { part, draft, failed, because }: Part): Omit<Attempt<never>, "saved"> => {
  if (!(error instanceof ApiError)) {
    console.error("saving settings failed", error);
    return { problems: [pageSettingsTexts.unexpectedError], refusals: {} };
  }
  const { fields, rest } = sortServerErrors<DraftPath>(
    draftPaths(draft),
    error.errors.map(({ path, message }) => ({ path: formPath(part, path), message })),
  );
  // What stands beside a field need not be said twice.
  const isPlaced = draftPaths(fields).length > 0 || error.code === "UNKNOWN";
  const reason = rest[0] ?? error.message;
  const problem = isPlaced && rest.length === 0 ? failed : because(reason);
  return { problems: [problem], refusals: fields, code: error.code };
};

type Success = Record<"services" | "accounts" | "site" | "core", Attempt<unknown>> & { isManaged: boolean };

const successOf = ({ services, accounts, site, core, isManaged }: Success): string | null => {
  const parts = [services, accounts, site, core];
  if (parts.every(({ saved }) => saved === null)) return null;
  const isWhole = parts.every(({ problems }) => problems.length === 0);
  if (isWhole && isManaged && services.saved !== null) return pageSettingsTexts.servicesSavedOnly;
  if (isWhole && !isManaged) return pageSettingsTexts.allSaved;
  if (services.saved !== null) return pageSettingsTexts.servicesSaved;
  if (accounts.saved !== null) return pageSettingsTexts.accountsSaved;
  return site.saved === null ? pageSettingsTexts.coreSaved : pageSettingsTexts.siteSaved;
};
