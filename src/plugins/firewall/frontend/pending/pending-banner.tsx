import { Button, cn } from "@atrium/plugin-sdk/ui";
import { Timer } from "lucide-react";
import { useRef, useState } from "react";
import type { ConfigData, PendingChange } from "../../backend/wire.ts";
import { saveFailure } from "../calls.ts";
import { pendingTexts as texts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { clockText } from "./countdown.ts";
import { useTrial } from "./use-trial.ts";

/** Over all sub-pages while a change is on trial: how long it has left, and the two ways it can end at once. */
export const PendingBanner = ({ isShutOut }: { isShutOut: boolean }) => {
  const { api, calls, config, refresh } = useFirewall();
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState<"keep" | "revert" | null>(null);
  const isOwnDoing = useRef(false);
  const { pending } = config;
  const { left, spoken } = useTrial(pending, {
    onEnd: () => void refresh().catch(() => undefined),
    onLost: (hasRunOut) => {
      setFailure(null);
      if (!isOwnDoing.current) api.notify(hasRunOut ? texts.ranOut : texts.decided);
      isOwnDoing.current = false;
    },
  });

  const decide = (act: "keep" | "revert", { revision }: PendingChange) => {
    const run = async (call: () => Promise<ConfigData>, done: string) => {
      setBusy(act);
      setFailure(null);
      isOwnDoing.current = true;
      try {
        await call();
        api.notify(done);
      } catch (error) {
        isOwnDoing.current = false;
        setFailure(saveFailure(error));
      } finally {
        setBusy(null);
      }
      await refresh().catch(() => undefined);
    };
    if (act === "keep") void run(() => calls.confirm({ revision }), texts.kept);
    else void run(() => calls.revert({ revision }), texts.reverted);
  };

  return (
    <>
      {/* Said at the beginning and twice before the end; the time itself would be said every second. */}
      <p role="status" className="sr-only">
        {pending !== null && spoken}
      </p>
      {pending !== null && (
        <section
          aria-label={texts.label}
          className="sticky top-16 z-30 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border border-warning/50 bg-popover px-4 py-3 shadow-lg"
        >
          <div className="flex min-w-56 grow basis-0 gap-3">
            <Timer aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-warning" />
            <div className="grid min-w-0 gap-0.5 text-sm">
              <p className="font-medium">{pending.isOwn ? texts.own : texts.other(pending.by)}</p>
              <p className="wrap-anywhere text-[0.8125rem] text-muted-foreground">
                {texts.text(pending.what)}
              </p>
              <p
                role="timer"
                aria-live="off"
                className={cn("font-medium tabular-nums", left <= 10 ? "text-destructive" : "text-warning")}
              >
                {texts.left(clockText(left))}
              </p>
              {(failure !== null || isShutOut) && (
                <p role="alert" className="text-[0.8125rem] text-destructive">
                  {isShutOut ? texts.shutOut : failure}
                </p>
              )}
            </div>
          </div>
          <div className="flex flex-wrap gap-2 max-sm:w-full">
            <Button
              size="sm"
              className="max-sm:grow"
              disabled={busy === "revert"}
              isBusy={busy === "keep"}
              onClick={() => decide("keep", pending)}
            >
              {texts.keep}
            </Button>
            <Button
              variant="outline"
              size="sm"
              className="max-sm:grow"
              disabled={busy === "keep"}
              isBusy={busy === "revert"}
              onClick={() => decide("revert", pending)}
            >
              {texts.revert}
            </Button>
          </div>
        </section>
      )}
    </>
  );
};
