import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { FieldError } from "#contract/errors.ts";
import { pageSettingsTexts } from "#contract/settings-texts.ts";
import { sortServerErrors } from "#ui/components/ui/form-rules.ts";
import { client } from "#ui/lib/client.ts";
import { notify } from "#ui/lib/notices.ts";
import type { Saved } from "./api.ts";
import {
  changedPaths,
  type Draft,
  type DraftPath,
  draftPaths,
  isLockedByFirewall,
  partOf,
  pick,
  rebase,
  type SavedSettings,
  savedSettings,
} from "./draft.ts";
import { type DraftErrors, draftComplaints } from "./draft-complaints.ts";
import { saveSettings } from "./save-settings.ts";
import { settingsPageTexts } from "./texts.ts";

/** The form of all settings: what stands in it, what is wrong with it, and what can be done. */
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
