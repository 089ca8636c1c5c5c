import { useEffect, useRef, useState } from "react";
import type { PendingChange } from "../../backend/wire.ts";
import { pendingTexts as texts } from "../texts.ts";
import { markPassed, secondsLeft, type Trial, trialOf } from "./countdown.ts";

const tickMs = 250;
// How often it is looked whether the server took it back, once the time is over.
const endMs = 1_000;

/** The change on trial with the seconds that are left, what is to be said aloud, and how it ended. */
export const useTrial = (
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
