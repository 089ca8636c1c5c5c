import { useEffect, useRef } from "react";
import type { BackupRun } from "#api/modules/backups/contract.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { formatBytes, formatCount, formatDateTime } from "../format.ts";
import { backupPageTexts as texts } from "./texts.ts";

type BackupProgressProps = {
  /** The making under way, as it was when the page was loaded. */
  begun: BackupRun;
  onEnd: () => void;
};

const askEveryMs = 1_000;
const getRun = async () => (await client.backups.progress()).data;

/** How far the making of a backup is, whoever began it and whichever server it runs on, and the way to end it. */
export const BackupProgress = ({ begun, onEnd }: BackupProgressProps) => {
  const { data } = useLoad(getRun, askEveryMs);
  const run = data ?? begun;
  const told = useRef<BackupRun | null>(null);
  useEffect(() => {
    // Once for each answer: what `onEnd` asks for may fail, and the next answer has it asked for again.
    if (data === null || data.state === "running" || told.current === data) return;
    if (data.state === "done" && told.current === null) notify({ tone: "success", message: texts.made });
    told.current = data;
    onEnd();
  }, [data, onEnd]);
  const { act, isBusy, error } = useAct(async () => {
    try {
      notify({ tone: "success", message: (await client.backups.cancel()).message });
    } finally {
      // Refused because it is over meanwhile, the page is to show that.
      onEnd();
    }
  });
  return (
    <Card aria-label={texts.running(texts.places[run.place])} className="flex flex-wrap gap-3 px-5 py-4">
      <span className="mt-0.5">
        <Spinner />
      </span>
      <div className="grid min-w-0 grow basis-0 gap-0.5">
        <p role="status" className="font-medium">
          {texts.running(texts.places[run.place])}
        </p>
        <p className="text-muted-foreground tabular-nums">
          {run.stage === "copying"
            ? texts.copying
            : texts.progress(formatCount(run.rows), formatBytes(run.readBytes))}
        </p>
        <p className="text-[0.8125rem] text-muted-foreground">
          {texts.since(formatDateTime(run.startedAt))} · {texts.goesOn}
        </p>
      </div>
      <Button variant="outline" size="sm" isBusy={isBusy} onClick={act} className="self-center">
        {texts.cancel}
      </Button>
      {error !== null && (
        <Alert severity="error" className="w-full">
          {failureText(error, texts.cancelFailed)}
        </Alert>
      )}
    </Card>
  );
};
