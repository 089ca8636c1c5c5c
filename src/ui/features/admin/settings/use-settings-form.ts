import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Credentials, CredentialsChange } from "#api/modules/settings/contract.ts";
import type { AccountSettings, CoreSettings } from "#contract/core-settings.ts";
import type { ChangeOf } from "#contract/define-settings.ts";
import type { FieldError } from "#contract/errors.ts";
import { pageSettingsTexts } from "#contract/settings-texts.ts";
import { sortServerErrors } from "#ui/components/ui/use-form.ts";
import { ApiError } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { notify } from "#ui/lib/notices.ts";
import type { Saved } from "./api.ts";
import {
  changedPaths,
  changeOf,
  type Draft,
  type DraftErrors,
  type DraftPath,
  draftComplaints,
  draftPaths,
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
  isSaving: boolean;
  /** Why the last saving failed, a sentence each; gone with the next change. */
  problems: string[];
  set: <Path extends DraftPath>(path: Path, value: Draft[Path]) => void;
  /** Shows complaints of the server beside their fields; resolves to those about none of them. */
  refuse: (errors: readonly FieldError[]) => string[];
  save: () => Promise<void>;
  discard: () => void;
  /** Takes over what others saved in the meantime; what was typed stays. */
  adopt: (saved: Saved) => void;
};

type Options = {
  initial: Saved;
  isManaged: boolean;
  form: RefObject<HTMLFormElement | null>;
  onSaved: () => void;
};

type State = Saved & { draft: Draft; refusals: DraftErrors; problems: string[] };

/** State of the settings' form. */
export const useSettingsForm = ({ initial, isManaged, form, onSaved }: Options): SettingsForm => {
  const [state, setState] = useState<State>(() => ({
    ...initial,
    draft: savedSettings(initial.credentials, initial.core, initial.accounts).draft,
    refusals: {},
    problems: [],
  }));
  const [isSaving, setIsSaving] = useState(false);
  const isRunning = useRef(false);
  const focusError = useFocusOnError(form);
  const { credentials, core, accounts, draft, refusals, problems } = state;
  const saved = useMemo(() => savedSettings(credentials, core, accounts), [credentials, core, accounts]);
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
    const outcome = await saveSettings({
      ...{ draft, changed, isManaged },
      putCredentials: async (change) => (await client.settings.setCredentials(change)).data,
      putCore: async (change) => (await client.settings.setCore(change)).data,
      putAccounts: async (change) => (await client.settings.setAccounts(change)).data,
    });
    setState((now) => {
      const next = { ...now, refusals: outcome.refusals, problems: outcome.problems };
      const sent = changed.filter((path) => outcome[partOf(path)] !== null);
      return adopted(next, outcome, pick(draft, sent));
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
    isSaving,
    problems,
    set: (path, value) =>
      setState((now) => ({
        ...now,
        draft: { ...now.draft, [path]: value },
        // What the server said of the old text says nothing of the new, and a new endpoint needs other secrets.
        refusals: only(now.refusals, (refused) => sectionOf(refused) !== sectionOf(path)),
        problems: [],
      })),
    refuse: (found) => {
      const { fields, rest } = sortServerErrors(draftPaths(draft), found);
      setState((now) => ({ ...now, refusals: { ...now.refusals, ...fields } }));
      return rest;
    },
    save,
    discard: () => setState((now) => ({ ...now, draft: saved.draft, refusals: {}, problems: [] })),
    adopt: (next) => setState((now) => adopted(now, next, {})),
  };
};

/** The state over what is saved now; fields that still stand as they were sent count as saved. */
const adopted = (
  state: State,
  saved: { [Part in keyof Saved]: Saved[Part] | null },
  sent: Partial<Draft>,
): State => {
  const credentials = saved.credentials ?? state.credentials;
  const core = saved.core ?? state.core;
  const accounts = saved.accounts ?? state.accounts;
  const before = savedSettings(state.credentials, state.core, state.accounts).draft;
  const next = savedSettings(credentials, core, accounts).draft;
  return { ...state, credentials, core, accounts, draft: rebase(state.draft, { ...before, ...sent }, next) };
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
    if (field instanceof HTMLElement) field.focus();
  }, [requests, form]);
  return () => setRequests((count) => count + 1);
};

/** How a saving went, part by part. */
type SaveOutcome = {
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
