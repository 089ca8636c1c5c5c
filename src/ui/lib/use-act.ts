import { useRef, useState } from "react";

/** State of something that a button does: whether it is under way, and how the last try failed (`null` if it did not). */
export const useAct = (work: () => Promise<void>) => {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const isRunning = useRef(false);
  const run = async () => {
    // A second press while the first is under way is the same wish.
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isBusy: true, error: null });
    try {
      await work();
      setState({ isBusy: false, error: null });
    } catch (error) {
      setState({ isBusy: false, error });
    } finally {
      isRunning.current = false;
    }
  };
  return { ...state, act: () => void run() };
};
