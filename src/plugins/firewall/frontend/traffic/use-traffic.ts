import { useCallback, useEffect, useRef, useState } from "react";
import { useFirewall } from "../use-firewall.ts";
import { arrived, caughtUp, noTraffic, type TrafficFeed } from "./traffic-feed.ts";

const everyMs = 2_000;
const firstRows = 200;

/** The live traffic: asked for every two seconds unless paused or out of sight; `isHeld()` keeps rows where they are. */
export const useTraffic = (isPaused: boolean, isHeld: () => boolean) => {
  const { calls } = useFirewall();
  const [feed, setFeed] = useState<TrafficFeed | null>(null);
  const [isWatching, setIsWatching] = useState(true);
  const [error, setError] = useState<unknown>(null);
  const held = useRef(isHeld);
  const after = useRef<string | null>(null);
  const isAsking = useRef(false);
  useEffect(() => {
    held.current = isHeld;
    after.current = feed?.after ?? null;
  });

  const ask = useCallback(async () => {
    // An answer that takes longer than the next turn is waited for: its rows would come twice.
    if (isAsking.current) return;
    isAsking.current = true;
    try {
      const data = await calls.traffic(
        after.current === null ? { limit: firstRows } : { after: after.current, limit: firstRows },
      );
      const mayNotMove = held.current();
      setFeed((known) => arrived(known ?? noTraffic, data, known !== null && mayNotMove));
      setIsWatching(data.isWatching);
      setError(null);
    } catch (cause) {
      setError(cause);
    } finally {
      isAsking.current = false;
    }
  }, [calls]);

  useEffect(() => {
    if (isPaused) return;
    void ask();
    const timer = setInterval(() => document.visibilityState === "visible" && void ask(), everyMs);
    return () => clearInterval(timer);
  }, [ask, isPaused]);

  return {
    feed,
    isWatching,
    error,
    retry: () => void ask(),
    catchUp: () => setFeed((known) => known && caughtUp(known)),
  };
};
