import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { DeclaredName } from "#contract/core-settings.ts";
import type { FieldError } from "#contract/errors.ts";
import { pageSettingsTexts } from "#contract/settings.ts";
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
  type PartChange,
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

type State = {
  loaded: Loaded;
  draft: Draft;
  refusals: DraftErrors;
  problems: string[];
  needsFactor: boolean;
};

/** State of the settings' form. */
export const useSettingsForm = ({ initial, isManaged, form, complete, onSaved }: Options): SettingsForm => {
  const [state, setState] = useState<State>(() => ({
    loaded: initial,
    draft: savedSettings(initial).draft,
    refusals: {},
    ...noProblems,
  }));
  const [isSaving, setIsSaving] = useState(false);
  const isRunning = useRef(false);
  const focusError = useFocusOnError(form);
  const { loaded, draft, refusals, problems, needsFactor } = state;
  const saved = useMemo(() => savedSettings(loaded), [loaded]);
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
    const outcome = await saveSettings({ draft: whole, changed: sending, isManaged, puts });
    setState((now) => {
      const { refusals, problems, needsFactor } = outcome;
      const next = { ...now, draft: { ...now.draft, ...more }, refusals, problems, needsFactor };
      const sent = sending.filter((path) => outcome.saved[partOf(path)] !== undefined);
      return adopted(next, outcome.saved, pick(whole, sent));
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
    locked: (loaded.site?.locked ?? []).map(({ path }) => formPath("site", path)),
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
const adopted = (state: State, saved: Loaded, sent: Partial<Draft>): State => {
  const loaded = { ...state.loaded, ...saved };
  const base = { ...savedSettings(state.loaded).draft, ...sent };
  return { ...state, loaded, draft: rebase(state.draft, base, savedSettings(loaded).draft) };
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

/** How each part is saved; resolves to what is saved then. */
type Puts = { [Part in DeclaredName]: (change: PartChange) => Promise<Saved[Part]> };

const puts: Puts = {
  credentials: async (change) => (await client.settings.setCredentials(change)).data,
  accounts: async (change) => (await client.settings.setAccounts(change)).data,
  site: async (change) => (await client.settings.setSite(change)).data,
  core: async (change) => (await client.settings.setCore(change)).data,
};

/** How a saving went. */
type SaveOutcome = {
  /** What is saved now, of the parts that were saved. */
  saved: Loaded;
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
  puts: Puts;
};

/**
 * Saves what was changed: the external services, then the account and site settings, then the core settings unless the firewall
 * manages them. A part that fails does not keep the others from being saved. Never throws.
 */
export const saveSettings = async ({ draft, changed, isManaged, puts }: SaveInput): Promise<SaveOutcome> => {
  const open = changed.filter((path) => !(isManaged && isLockedByFirewall(path)));
  const attempts: Attempt[] = [];
  for (const part of parts) {
    const paths = open.filter((path) => partOf(path) === part);
    attempts.push(await attempt(part, { draft, paths, put: puts[part] }));
  }
  const saved: Loaded = Object.assign({}, ...attempts.map((made) => made.saved));
  const problems = attempts.flatMap(({ problem }) => problem ?? []);
  return {
    saved,
    success: successOf(saved, { isWhole: problems.length === 0, isManaged }),
    problems,
    needsFactor: attempts.some(({ part, code }) => part === "accounts" && code === "SECOND_FACTOR_FIRST"),
    refusals: Object.assign({}, ...attempts.map(({ refusals }) => refusals)),
  };
};

/** The parts in the order in which they are saved. */
const parts = ["credentials", "accounts", "site", "core"] as const;

const words = {
  credentials: {
    saved: pageSettingsTexts.servicesSaved,
    failed: pageSettingsTexts.servicesNotSaved,
    because: pageSettingsTexts.servicesError,
  },
  accounts: {
    saved: pageSettingsTexts.accountsSaved,
    failed: pageSettingsTexts.accountsNotSaved,
    because: pageSettingsTexts.accountsError,
  },
  site: {
    saved: pageSettingsTexts.siteSaved,
    failed: pageSettingsTexts.siteNotSaved,
    because: pageSettingsTexts.siteError,
  },
  core: {
    saved: pageSettingsTexts.coreSaved,
    failed: pageSettingsTexts.coreNotSaved,
    because: pageSettingsTexts.coreError,
  },
} as const;

/** What became of a part: `saved` is empty unless it was saved, and `problem` absent unless that failed. */
type Attempt = {
  part: DeclaredName;
  saved: object;
  refusals: DraftErrors;
  problem?: string;
  code?: ApiError["code"];
};

type Saving = { draft: Draft; paths: readonly DraftPath[]; put: (change: PartChange) => Promise<object> };

const attempt = async (part: DeclaredName, { draft, paths, put }: Saving): Promise<Attempt> => {
  const unsaved = { part, saved: {}, refusals: {} };
  const change = changeOf(draft, paths);
  if (change === null) return unsaved;
  try {
    return { ...unsaved, saved: { [part]: await put(change) } };
  } catch (error) {
    return { ...unsaved, ...explained(error, { part, draft }) };
  }
};

const explained = (error: unknown, { part, draft }: { part: DeclaredName; draft: Draft }) => {
  if (!(error instanceof ApiError)) {
    console.error("saving settings failed", error);
    return { problem: pageSettingsTexts.unexpectedError };
  }
  const { fields, rest } = sortServerErrors<DraftPath>(
    draftPaths(draft),
    error.errors.map(({ path, message }) => ({ path: formPath(part, path), message })),
  );
  // What stands beside a field need not be said twice.
  const isPlaced = draftPaths(fields).length > 0 || error.code === "UNKNOWN";
  const { failed, because } = words[part];
  const problem = isPlaced && rest.length === 0 ? failed : because(rest[0] ?? error.message);
  return { problem, refusals: fields, code: error.code };
};

const successOf = (saved: Loaded, how: { isWhole: boolean; isManaged: boolean }): string | null => {
  const first = parts.find((part) => saved[part] !== undefined);
  if (first === undefined) return null;
  if (how.isWhole && !how.isManaged) return pageSettingsTexts.allSaved;
  return how.isWhole && first === "credentials" ? pageSettingsTexts.servicesSavedOnly : words[first].saved;
};
