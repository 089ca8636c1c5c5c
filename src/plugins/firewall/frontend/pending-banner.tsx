import { Button, cn } from "@atrium/plugin-sdk/ui";
import { Timer } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { PendingChange } from "../backend/wire.ts";
import { clockText, markPassed, secondsLeft, type Trial, trialOf } from "./countdown.ts";
import { useRowActions } from "./parts/use-row-actions.ts";
import { pendingTexts as texts } from "./texts.ts";
import { useFirewall } from "./use-firewall.ts";

/** Over all sub-pages while a change is on trial: how long it has left, and the two ways it can end at once. */
export const PendingBanner = ({ isShutOut }: { isShutOut: boolean }) => {
  const { api, calls, config, refresh } = useFirewall();
  const { busy, failure, dismiss, act } = useRowActions();
  const isOwnDoing = useRef(false);
  const { pending } = config;
  const { left, spoken } = useTrial(pending, {
    onEnd: () => void refresh().catch(() => undefined),
    onLost: (hasRunOut) => {
      dismiss();
      if (!isOwnDoing.current) api.notify(hasRunOut ? texts.ranOut : texts.decided);
      isOwnDoing.current = false;
    },
  });

  const decide = (what: "keep" | "revert", { revision }: PendingChange) =>
    act(what, async () => {
      isOwnDoing.current = true;
      try {
        await (what === "keep" ? calls.confirm({ revision }) : calls.revert({ revision }));
        api.notify(what === "keep" ? texts.kept : texts.reverted);
      } catch (error) {
        isOwnDoing.current = false;
        throw error;
      } finally {
        await refresh().catch(() => undefined);
      }
    });

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
            {(["keep", "revert"] as const).map((what) => (
              <Button
                key={what}
                variant={what === "keep" ? "default" : "outline"}
                size="sm"
                className="max-sm:grow"
                disabled={busy !== null && busy !== what}
                isBusy={busy === what}
                onClick={() => decide(what, pending)}
              >
                {texts[what]}
              </Button>
            ))}
          </div>
        </section>
      )}
    </>
  );
};

const tickMs = 250;
// How often it is looked whether the server took it back, once the time is over.
const endMs = 1_000;

/** The change on trial with the seconds that are left, what is to be said aloud, and how it ended. */
const useTrial = (
  pending: PendingChange | null,
  { onEnd, onLost }: { onEnd: () => void; onLost: (hasRunOut: boolean) => void },
) => {
  const [trial, setTrial] = useState<Trial | null>(null);
  const [left, setLeft] = useState(0);
  const [spoken, setSpoken] = useState("");
  const latest = useRef({ onEnd, onLost });
  const known = useRef<Trial | null>(null);
  useEffect(() => {
    latest.current = { onEnd, onLost };
  });

  useEffect(() => {
    const before = known.current;
    if (pending === null) {
      if (before !== null) latest.current.onLost(secondsLeft(before, Date.now()) === 0);
      known.current = null;
      setTrial(null);
      return;
    }
    const next = trialOf(pending, { now: Date.now(), known: before });
    known.current = next;
    setTrial(next);
    const seconds = secondsLeft(next, Date.now());
    setLeft(seconds);
    if (before?.revision !== next.revision) setSpoken(texts.began(seconds));
  }, [pending]);

  useEffect(() => {
    if (trial === null) return;
    let before = secondsLeft(trial, Date.now());
    let askedAt = 0;
    const timer = setInterval(() => {
      const now = Date.now();
      const seconds = secondsLeft(trial, now);
      const mark = markPassed(before, seconds);
      if (mark !== null) setSpoken(texts.soon(mark));
      before = seconds;
      setLeft(seconds);
      if (seconds > 0 || now - askedAt < endMs) return;
      askedAt = now;
      latest.current.onEnd();
    }, tickMs);
    return () => clearInterval(timer);
  }, [trial]);

  return { left, spoken };
};
