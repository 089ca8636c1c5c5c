import { useEffect, useState } from "react";
import type { ReplayData, ReplayDraft } from "../../backend/wire.ts";
import type { Calls } from "../calls.ts";
import { emptyForm, type ReplayForm } from "./replay-form.ts";

const askMs = 500;

/** A run and the draft that it is about. */
type Run = { draft: ReplayDraft; data: ReplayData };

/** The draft and its run. They are kept while other sub-pages are looked at. */
export type ReplayControl = ReturnType<typeof useReplay>;

/** Keeps the draft, starts and cancels its run, and follows it until it ends. */
export const useReplay = (calls: Calls) => {
  const [form, setForm] = useState<ReplayForm>(emptyForm);
  const [run, setRun] = useState<Run | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isStarting, setIsStarting] = useState(false);
  const runningId = run?.data.state === "running" ? run.data.id : null;

  useEffect(() => {
    if (runningId === null) return;
    let isOver = false;
    const ask = async () => {
      try {
        const data = await calls.replay(runningId);
        if (!isOver) setRun((known) => known && { ...known, data });
      } catch (cause) {
        // It is asked for again: the run goes on without this page.
        if (!isOver) setError(cause);
      }
    };
    const timer = setInterval(() => void ask(), askMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [calls, runningId]);

  const start = async (draft: ReplayDraft) => {
    setIsStarting(true);
    setError(null);
    try {
      setRun({ draft, data: await calls.startReplay(draft) });
    } catch (cause) {
      setError(cause);
    } finally {
      setIsStarting(false);
    }
  };
  const cancel = async () => {
    if (runningId === null) return;
    try {
      const data = await calls.cancelReplay(runningId);
      setRun((known) => known && { ...known, data });
    } catch (cause) {
      setError(cause);
    }
  };
  const clear = () => {
    setForm(emptyForm);
    setRun(null);
    setError(null);
  };
  return {
    form,
    change: (more: Partial<ReplayForm>) => setForm((known) => ({ ...known, ...more })),
    run,
    error,
    isStarting,
    start: (draft: ReplayDraft) => void start(draft),
    cancel: () => void cancel(),
    clear,
  };
};
