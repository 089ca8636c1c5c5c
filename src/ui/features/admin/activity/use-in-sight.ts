import { useEffect, useState } from "react";

/** Whether the tab is in sight, or has been out of it for no longer than `hiddenForMs`. */
export const useInSight = (hiddenForMs: number): boolean => {
  const [isInSight, setIsInSight] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") setIsInSight(true);
      else timer = setTimeout(() => setIsInSight(false), hiddenForMs);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [hiddenForMs]);
  return isInSight;
};
