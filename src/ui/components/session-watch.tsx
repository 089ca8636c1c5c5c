import { lazy, Suspense, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "wouter";
import { securityPage } from "#contract/page-paths.ts";
import type { User } from "#contract/users.ts";
import { failureText } from "#ui/lib/api.ts";
import { clockTime, shortMoment } from "#ui/lib/moments.ts";
import { lastUseMs, onInput, watchInputs } from "#ui/lib/presence.ts";
import { useAct } from "#ui/lib/use-act.ts";
import {
  askSession,
  askSessionAgain,
  factorCardId,
  forgetSessionState,
  type SessionState,
  shieldId,
  useSessionState,
} from "../lib/session.ts";
import { Alert } from "./ui/alert.tsx";
import { Button } from "./ui/button.tsx";
import { Dialog } from "./ui/dialog.tsx";

const noticeMs = 2 * 60_000;
const retryMs = 15_000;
// It looks that often in any case: an admin may have made sessions shorter.
const longestMs = 5 * 60_000;

/**
 * Watches over the reader's session: says what they have to do for it, keeps it alive while they are at the page without a request, such as in a
 * long form, warns of an end, and finds out that it has come.
 */
export const SessionWatch = ({ user: { id, role } }: { user: User }) => {
  const known = useSessionState();
  useEffect(watchInputs, []);
  useEffect(() => {
    // Members' sessions last for weeks: theirs are asked about once there is something to tell.
    if (id !== "" && role === "admin") askSessionAgain();
    return forgetSessionState;
  }, [id, role]);
  if (known === null) return null;
  return (
    <>
      {known.factorRequired !== null && <FactorBanner {...known.factorRequired} />}
      <ProofShield untilMs={known.confirmedUntilMs} />
      <KnownWatch known={known} />
    </>
  );
};

/** Says that the reader has to set up a second factor, by when, and where. */
const FactorBanner = ({ byMs, isOverdue }: NonNullable<SessionState["factorRequired"]>) => (
  <div
    role="status"
    className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-warning px-4 py-2 text-sm text-warning-foreground"
  >
    <span>{isOverdue ? watchTexts.overdue : watchTexts.setUpBy(dayOf(byMs))}</span>
    {/* Loads the page, so that its card is found from wherever the reader is. */}
    <a
      href={`${securityPage}#${factorCardId}`}
      className="inline-flex min-h-8 items-center font-medium underline underline-offset-4"
    >
      {watchTexts.setUp}
    </a>
  </div>
);

const dayMs = 86_400_000;

/** A day such as "November 29"; with the time when that is soon. */
const dayOf = (ms: number): string => {
  if (ms - Date.now() < dayMs) return shortMoment(new Date(ms).toISOString());
  return new Intl.DateTimeFormat(undefined, { month: "long", day: "numeric" }).format(ms);
};

const KnownWatch = ({ known }: { known: SessionState }) => {
  const { askedMs, idleEndsMs, endsMs } = known;
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const look = () => askSession().catch(() => setTries(tries + 1));
    const waitMs = tries > 0 ? retryMs : nextLookMs(known) - Date.now();
    const timer = setTimeout(() => void look(), Math.min(Math.max(waitMs, 0), longestMs));
    return () => clearTimeout(timer);
  }, [known, tries]);
  useEffect(() => {
    const oldMs = (idleEndsMs - askedMs) / 6;
    return onInput(() => {
      if (Date.now() - lastUseMs() >= oldMs) void askSessionAgain();
    });
  }, [idleEndsMs, askedMs]);
  const isIdle = idleEndsMs < endsMs && idleEndsMs - askedMs <= noticeMs;
  return isIdle ? <IdleNotice endsMs={idleEndsMs} /> : null;
};

/** When the server is asked next: at the notice, or at the end. */
const nextLookMs = ({ askedMs, idleEndsMs, endsMs }: SessionState): number => {
  const noticeAtMs = idleEndsMs - noticeMs;
  return idleEndsMs < endsMs && askedMs < noticeAtMs ? noticeAtMs : idleEndsMs;
};

const IdleNotice = ({ endsMs }: { endsMs: number }) => {
  // Whatever the reader does to close it shows that they are there.
  const { act, isBusy, error } = useAct(askSession);
  return (
    <Dialog
      open
      onOpenChange={act}
      title={watchTexts.title}
      description={watchTexts.lead(clockTime(endsMs))}
      actions={
        <Button isBusy={isBusy} onClick={act} autoFocus>
          {watchTexts.stay}
        </Button>
      }
    >
      {error !== null && <Alert severity="error">{failureText(error, watchTexts.failed)}</Alert>}
    </Dialog>
  );
};

/** Words of what is said about a session. */
export const watchTexts = {
  title: "Are you still there?",
  lead: (time: string) => `You will be signed out at ${time}.`,
  stay: "Stay signed in",
  overdue: "Two-factor authentication is required for your account. Set it up to continue.",
  setUpBy: (day: string) => `Set up two-factor authentication by ${day}.`,
  setUp: "Set it up",
  failed: "The server can't be reached at the moment. Please try again.",
} as const;

const ShieldMenu = lazy(async () => ({ default: (await import("./shield-menu.tsx")).ShieldMenu }));

/** Shows in the header, for as long as a confirmation counts, until when it does, and how to end it; else nothing. */
const ProofShield = ({ untilMs }: { untilMs: number | null }) => {
  // Another page may have another header.
  useLocation();
  const [endedMs, setEndedMs] = useState<number | null>(null);
  useEffect(() => {
    if (untilMs === null) return;
    const timer = setTimeout(() => setEndedMs(untilMs), Math.max(0, untilMs - Date.now()));
    return () => clearTimeout(timer);
  }, [untilMs]);
  const place = document.getElementById(shieldId);
  if (untilMs === null || untilMs === endedMs || place === null) return null;
  return createPortal(
    <Suspense fallback={null}>
      <ShieldMenu untilMs={untilMs} />
    </Suspense>,
    place,
  );
};
