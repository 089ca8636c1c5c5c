import { useEffect, useRef, useState } from "react";
import type { Feed } from "./activity-feed.ts";

// While a list grows all the time, its figures are asked for no more often.
const restMs = 2_000;

/** A number that grows, every 2 s at most, when the rows on show are no longer the same, though what is listed is. */
export const useRevision = (feed: Feed | null): number => {
  const [revision, setRevision] = useState(0);
  const known = useRef(feed);
  const grownAtMs = useRef(0);
  const isDue = useRef(false);
  useEffect(() => {
    const before = known.current;
    known.current = feed;
    if (before !== null && before.query === feed?.query && before.shown !== feed.shown) isDue.current = true;
    if (!isDue.current) return;
    const timer = setTimeout(
      () => {
        isDue.current = false;
        grownAtMs.current = Date.now();
        setRevision((number) => number + 1);
      },
      Math.max(0, grownAtMs.current + restMs - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [feed]);
  return revision;
};

/** Calls `reload` when a revision is followed by another. */
export const useReloadAt = (revision: number, reload: () => void): void => {
  const latest = useRef(reload);
  useEffect(() => {
    latest.current = reload;
  });
  useEffect(() => {
    if (revision > 0) latest.current();
  }, [revision]);
};
