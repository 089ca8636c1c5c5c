import { useEffect, useRef, useState } from "react";
import type { Activity } from "#api/modules/activity/contract.ts";
import { openActivityStream, type StreamState } from "./activity-stream.ts";
import { useInSight } from "./use-in-sight.ts";

type ActivityStreamOptions = {
  /** The filters as a query string, without "?". */
  query: string;
  isOn: boolean;
  /** The newest row that is shown: the stream goes on after it. Without one it begins with a gap. */
  newestId?: number | null;
  /** May bring a row again that is shown already; its id tells. */
  onActivity: (activity: Activity) => void;
  /** Rows passed that the stream did not bring: load the list again. */
  onGap: () => void;
  /** The stream was refused or ended: ask whether the server and the session are there still. */
  onBreak: () => void;
};

// A look at another tab is no reason to let go.
const hiddenForMs = 60_000;

/**
 * New activities as they are recorded, while it is on and the tab is in sight (or has not been hidden for a minute). Ask
 * for news by other means as long as it does not say `live`.
 */
export const useActivityStream = ({
  query,
  isOn,
  newestId = null,
  onActivity,
  onGap,
  onBreak,
}: ActivityStreamOptions): StreamState => {
  const [state, setState] = useState<StreamState>("off");
  const isWanted = useInSight(hiddenForMs) && isOn;
  const latest = useRef({ newestId, onActivity, onGap, onBreak });
  useEffect(() => {
    latest.current = { newestId, onActivity, onGap, onBreak };
  });

  useEffect(() => {
    if (!isWanted) return;
    const end = openActivityStream(
      {
        onState: setState,
        onActivity: (activity) => latest.current.onActivity(activity),
        onGap: () => latest.current.onGap(),
        onBreak: () => latest.current.onBreak(),
      },
      {
        connect: (after) => new EventSource(streamAddress(query, after)),
        wait: (waitMs, call) => {
          const timer = setTimeout(call, waitMs);
          return () => clearTimeout(timer);
        },
        newestId: () => latest.current.newestId,
      },
    );
    return () => {
      end();
      setState("off");
    };
  }, [isWanted, query]);

  return state;
};

const streamAddress = (query: string, after: number | null): string => {
  const params = new URLSearchParams(query);
  if (after !== null) params.set("after", String(after));
  return `/api/admin/activity/stream?${params}`;
};
