import { useEffect, useRef } from "react";
import { Card } from "#ui/components/ui/card.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { notify } from "#ui/lib/notices.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { formatBytes, formatCount, formatDateTime } from "../format.ts";
import { type BackupRun, getRun } from "./api.ts";
import { backupPageTexts as texts } from "./texts.ts";

type BackupProgressProps = {
  /** The making under way, as it was when the page was loaded. */
  begun: BackupRun;
  onEnd: () => void;
};

const askEveryMs = 1_000;

/** How far the making of a backup is, whoever began it and whichever server it runs on. */
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
  return (
    <Card aria-label={texts.running(texts.places[run.place])} className="flex gap-3 px-5 py-4">
      <span className="mt-0.5">
        <Spinner />
      </span>
      <div className="grid min-w-0 gap-0.5">
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
    </Card>
  );
};
