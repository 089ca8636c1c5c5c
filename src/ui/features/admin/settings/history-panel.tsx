import { Undo2 } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { ListChangesInput, SettingsChange } from "#api/modules/settings/contract.ts";
import { declaredSettings } from "#contract/core-settings.ts";
import { durationLabel, type Setting, wordOf } from "#contract/define-settings.ts";
import {
  type ChangedField,
  isSectionOfFeature,
  pageSettingsTexts,
  type SettingValue,
} from "#contract/settings.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { RetryAlert } from "#ui/components/retry-alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client, failureText } from "#ui/lib/api.ts";
import { shortMoment } from "#ui/lib/moments.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { formatCount, formatDateTime } from "../format.ts";
import { KeepFocus } from "../list-parts.tsx";
import { useOlder } from "./use-older.ts";

type HistoryPanelProps = {
  /** How often something was saved; whenever that changes there is something new. */
  savings: number;
  /** Whose changes are listed; without it all. */
  section?: ListChangesInput["section"];
  onReverted: () => Promise<void>;
};

/** Who changed what, newest first; each change can be taken back, and so can that. */
export const HistoryPanel = ({ savings, section, onReverted }: HistoryPanelProps) => {
  const load = useCallback(
    async (before?: number) => {
      const { changes, pagination } = (await client.settings.history({ limit: 10, before, section })).data;
      return { rows: changes, total: pagination.total };
    },
    [section],
  );
  const { data, error, isLoading, reload, loadOlder } = useOlder(load);
  const seen = useRef(savings);
  useEffect(() => {
    if (seen.current !== savings) reload();
    seen.current = savings;
  }, [savings, reload]);

  // The change that is about to be taken back with secrets that would be lost.
  const [asked, setAsked] = useState<SettingsChange | null>(null);

  const revert = async (id: number) => {
    const { message, data: change } = await client.settings.revert({ id: String(id) });
    // What was deleted comes back by no press, and what one more press would delete is asked for first.
    const isFinal = change.losesSecrets.length > 0 || change.fields.some(({ isSecret }) => isSecret);
    const action = { label: historyTexts.undo, run: () => void undo(change.id) };
    notify({ tone: "success", message, ...(isFinal ? {} : { action }) });
    setAsked(null);
    reload();
    try {
      await onReverted();
    } catch (failure) {
      notify({ tone: "error", message: failureText(failure, pageSettingsTexts.notLoaded) });
    }
  };
  const undo = async (id: number) => {
    try {
      await revert(id);
    } catch (failure) {
      notify({ tone: "error", message: failureText(failure, historyTexts.revertFailed) });
    }
  };

  if (data === null && error === null)
    return (
      <div aria-busy="true" className="p-5">
        <span className="sr-only">{historyTexts.loading}</span>
        <Skeleton className="h-32 w-full" />
      </div>
    );
  return (
    <>
      {error !== null && (
        <div className="p-5">
          <RetryAlert onRetry={reload}>{failureText(error, historyTexts.loadFailed)}</RetryAlert>
        </div>
      )}
      {data?.rows.length === 0 && (
        <div className="grid justify-items-center gap-1 px-6 py-10 text-center">
          <p className="font-medium text-sm">{historyTexts.none}</p>
          <p className="max-w-sm text-[0.8125rem] text-muted-foreground">{historyTexts.noneText}</p>
        </div>
      )}
      {data !== null && data.rows.length > 0 && (
        <KeepFocus of={data}>
          <ol aria-label={historyTexts.title} aria-busy={isLoading} className="divide-y divide-border">
            {data.rows.map((change) => (
              <HistoryRow
                key={change.id}
                change={change}
                onRevert={async () => (change.losesSecrets.length > 0 ? setAsked(change) : revert(change.id))}
              />
            ))}
          </ol>
          <div className="flex flex-wrap items-center justify-between gap-3 border-border border-t px-5 py-3">
            <p aria-live="polite" className="text-[0.8125rem] text-muted-foreground tabular-nums">
              {historyTexts.shown(formatCount(data.rows.length), formatCount(data.total))}
            </p>
            {data.rows.length < data.total && (
              <Button variant="outline" size="sm" isBusy={isLoading} onClick={loadOlder}>
                {historyTexts.more}
              </Button>
            )}
          </div>
        </KeepFocus>
      )}
      {asked !== null && (
        <ConfirmDialog
          open
          onClose={() => setAsked(null)}
          title={historyTexts.ask(asked.id)}
          question={historyTexts.askText(
            asked.losesSecrets.map((path) => fieldName(asked.section, path)).join(", "),
          )}
          action={historyTexts.revertAndDelete}
          fallback={historyTexts.revertFailed}
          onConfirm={() => revert(asked.id)}
        />
      )}
    </>
  );
};

type HistoryRowProps = { change: SettingsChange; onRevert: () => Promise<void> };

/** One saving: who, when, each field before and after, and the way to take it back or why there is none. */
const HistoryRow = ({ change, onRevert }: HistoryRowProps) => {
  const { id, at, by, section, fields, reverts, canRevert } = change;
  const { act, isBusy, error } = useAct(onRevert);
  return (
    <li className="grid gap-2.5 px-5 py-4">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="wrap-anywhere font-medium text-sm">
            {isSectionOfFeature(section) ? section.replace("features.", "") : historyTexts.sections[section]}{" "}
            {historyTexts.by(by)}
          </p>
          <p className="text-[0.8125rem] text-muted-foreground tabular-nums">
            #{id} ·{" "}
            <time dateTime={at} title={formatDateTime(at)}>
              {shortMoment(at)}
            </time>
            {reverts !== null && ` · ${historyTexts.reverts(reverts)}`}
          </p>
        </div>
        {canRevert && (
          <Button variant="outline" size="sm" isBusy={isBusy} onClick={act}>
            {!isBusy && <Undo2 aria-hidden="true" />}
            <span>
              {historyTexts.revert}
              <span className="sr-only"> {historyTexts.change(id)}</span>
            </span>
          </Button>
        )}
      </div>
      <ul className="grid gap-1.5 text-[0.8125rem]">
        {fields.map((field) => (
          <li key={field.path} className="grid gap-x-4 sm:grid-cols-[10rem_1fr]">
            <span className="text-muted-foreground">{fieldName(section, field.path)}</span>
            <FieldChange section={section} field={field} />
          </li>
        ))}
      </ul>
      {!canRevert && <p className="text-[0.8125rem] text-muted-foreground">{whyNot(change)}</p>}
      {error !== null && (
        <p role="alert" className="text-[0.8125rem] text-destructive">
          {failureText(error, historyTexts.revertFailed)}
        </p>
      )}
    </li>
  );
};

const whyNot = ({ section, fields }: SettingsChange): string => {
  if (section === "providers") return historyTexts.cannotProvider;
  return fields.every(({ isSecret }) => isSecret) ? historyTexts.cannotSecret : historyTexts.cannotOlder;
};

const FieldChange = ({ section, field }: Pick<SettingsChange, "section"> & { field: ChangedField }) => {
  if (field.isSecret) return <span>{historyTexts.actions[field.deed]}</span>;
  return (
    <span className="wrap-anywhere min-w-0">
      <span className="sr-only">{historyTexts.before} </span>
      <span className="text-muted-foreground">
        <Folded text={changedValue(section, field.path, field.before)} of={historyTexts.before} />
      </span>
      <span aria-hidden="true" className="text-muted-foreground">
        {" → "}
      </span>
      <span className="sr-only">, {historyTexts.after} </span>
      <span>
        <Folded text={changedValue(section, field.path, field.after)} of={historyTexts.after} />
      </span>
    </span>
  );
};

/** Characters of a value that are shown of a longer one. */
const shownLength = 300;

/** A value, of which only the beginning is shown if it is long. */
const Folded = ({ text, of }: { text: string; of: string }) => {
  const [isWhole, setIsWhole] = useState(false);
  if (text.length <= shownLength) return text;
  // Not in the middle of a character.
  const beginning = text.slice(0, shownLength).replace(/[\ud800-\udbff]$/, "");
  return (
    <>
      {isWhole ? text : `${beginning}…`}{" "}
      <button
        type="button"
        aria-expanded={isWhole}
        onClick={() => setIsWhole(!isWhole)}
        className="cursor-pointer rounded-sm text-primary underline underline-offset-4 outline-none focus-visible:ring-2 focus-visible:ring-ring max-md:py-3"
      >
        {isWhole ? historyTexts.showLess : historyTexts.showAll}
        <span className="sr-only"> {of}</span>
      </button>
    </>
  );
};

/** Words of the history. */
export const historyTexts = {
  title: "Changes",
  loading: "Loading history",
  loadFailed: "The history could not be loaded",
  none: "No changes yet",
  noneText: "Each time settings are saved, the changes appear here and can be reverted.",
  sections: {
    ...{ core: "Core settings", credentials: "External services", accounts: "Accounts", site: "Site" },
    providers: "Sign-in providers",
  },
  by: (who: string) => `by ${who}`,
  reverts: (id: number) => `reverts #${id}`,
  actions: { set: "Set", replaced: "Replaced", removed: "Removed" },
  before: "before",
  after: "after",
  showAll: "Show all",
  showLess: "Show less",
  empty: "empty",
  image: (id: string) => `image ${id}`,
  on: "on",
  off: "off",
  revert: "Revert",
  change: (id: number) => `change #${id}`,
  undo: "Undo",
  cannotSecret: "Only secrets were changed. Secrets are never recorded, so enter them again instead.",
  cannotProvider: "Changes of sign-in providers can't be reverted. Edit the provider instead.",
  cannotOlder: "One of these settings was changed again later. Revert that change first.",
  ask: (id: number) => `Revert change #${id}?`,
  askText: (secrets: string) =>
    `This removes its endpoint and permanently deletes what was entered for it: ${secrets}.`,
  revertAndDelete: "Revert and delete",
  revertFailed: "The change could not be reverted",
  more: "Show older changes",
  shown: (shown: string, total: string) => `${shown} of ${total}`,
} as const;

/** A field as the form names it, by its path in the history. */
const fieldName = (section: SettingsChange["section"], path: string): string =>
  settingAt(section, path)?.label ?? path;

const settingAt = (section: SettingsChange["section"], path: string): Setting | undefined =>
  section === "providers" || isSectionOfFeature(section)
    ? undefined
    : declaredSettings[section].settings.find(([own]) => own === path)?.[1];

/** A value of the history as users read it. */
export const changedValue = (
  section: SettingsChange["section"],
  path: string,
  value: SettingValue,
): string => {
  if (value === null || value === "") return historyTexts.empty;
  if (typeof value === "object") return wordOf(value) || historyTexts.empty;
  if (typeof value === "boolean") return value ? historyTexts.on : historyTexts.off;
  const kind = settingAt(section, path)?.kind;
  // The files of an image say nothing to someone who reads; they are told apart by what they have in common.
  if (kind === "image") return historyTexts.image(String(value).slice(0, 8));
  if (typeof value === "string") return value;
  return kind === "duration" ? durationLabel(value) : formatCount(value);
};
