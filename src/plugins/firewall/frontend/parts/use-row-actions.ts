import { useState } from "react";
import { saveFailure } from "../calls.ts";

/** Runs what buttons in rows do: which row is at it, and how the last one failed. */
export const useRowActions = () => {
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (row: string, work: () => Promise<unknown>): Promise<void> => {
    if (busy !== null) return;
    setBusy(row);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(saveFailure(error));
    } finally {
      setBusy(null);
    }
  };
  return {
    busy,
    failure,
    fail: setFailure,
    dismiss: () => setFailure(null),
    act: (row: string, work: () => Promise<unknown>) => void run(row, work),
  };
};
