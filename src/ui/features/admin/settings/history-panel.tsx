import { useCallback, useEffect, useRef, useState } from "react";
import type { SettingsChange } from "#api/modules/settings/contract.ts";
import { pageSettingsTexts } from "#contract/settings-texts.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { formatCount } from "../format.ts";
import { KeepFocus } from "../users/keep-focus.tsx";
import { HistoryRow } from "./history-row.tsx";
import { fieldName, historyTexts as texts } from "./history-texts.ts";
import { settingsPageTexts } from "./texts.ts";
import { useOlder } from "./use-older.ts";

type HistoryPanelProps = {
  /** How often something was saved; whenever that changes there is something new. */
  savings: number;
  onReverted: () => Promise<void>;
};

/** Who changed what, newest first; each change can be taken back, and so can that. */
export const HistoryPanel = ({ savings, onReverted }: HistoryPanelProps) => {
  const load = useCallback(async (before?: number) => {
    const { changes, pagination } = (await client.settings.history({ limit: 10, before })).data;
    return { rows: changes, total: pagination.total };
  }, []);
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
    const action = { label: texts.undo, run: () => void undo(change.id) };
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
      notify({ tone: "error", message: failureText(failure, texts.revertFailed) });
    }
  };

  if (data === null && error === null)
    return (
      <div aria-busy="true" className="p-5">
        <span className="sr-only">{texts.loading}</span>
        <Skeleton className="h-32 w-full" />
      </div>
    );
  return (
    <>
      {error !== null && (
        <div className="p-5">
          <Alert
            severity="error"
            actions={
              <Button variant="outline" size="sm" onClick={reload}>
                {settingsPageTexts.tryAgain}
              </Button>
            }
          >
            {failureText(error, texts.loadFailed)}
          </Alert>
        </div>
      )}
      {data?.rows.length === 0 && (
        <div className="grid justify-items-center gap-1 px-6 py-10 text-center">
          <p className="font-medium text-sm">{texts.none}</p>
          <p className="max-w-sm text-[0.8125rem] text-muted-foreground">{texts.noneText}</p>
        </div>
      )}
      {data !== null && data.rows.length > 0 && (
        <KeepFocus of={data}>
          <ol aria-label={texts.title} aria-busy={isLoading} className="divide-y divide-border">
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
              {texts.shown(formatCount(data.rows.length), formatCount(data.total))}
            </p>
            {data.rows.length < data.total && (
              <Button variant="outline" size="sm" isBusy={isLoading} onClick={loadOlder}>
                {texts.more}
              </Button>
            )}
          </div>
        </KeepFocus>
      )}
      {asked !== null && (
        <ConfirmDialog
          open
          onClose={() => setAsked(null)}
          title={texts.ask(asked.id)}
          question={texts.askText(
            asked.losesSecrets.map((path) => fieldName(asked.section, path)).join(", "),
          )}
          action={texts.revertAndDelete}
          fallback={texts.revertFailed}
          onConfirm={() => revert(asked.id)}
        />
      )}
    </>
  );
};
