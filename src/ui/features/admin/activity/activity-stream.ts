import { useEffect, useRef, useState } from "react";
import type { Activity } from "#api/modules/activity/contract.ts";

type ActivityStreamOptions = {
  /** The filters as a query string, without "?". */
  query: string;
  isOn: boolean;
  /** The newest row that is shown: the stream continues after it. Without one it begins with a gap. */
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

/** Whether the tab is in sight, or has been out of it for no longer than `hiddenForMs`. */
const useInSight = (hiddenForMs: number): boolean => {
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

/** Live; on the way there; or given up for now, so that anyone who wants news has to ask for them. */
type StreamState = "live" | "connecting" | "off";

/** Who wants to hear of what a stream brings. */
type StreamListener = {
  onState: (state: StreamState) => void;
  /** May bring a row again that was there before; its id tells. */
  onActivity: (activity: Activity) => void;
  /** Rows passed that the stream did not bring. */
  onGap: () => void;
  /** It was refused or ended, once until it is live again: the listener had better ask why. */
  onBreak: () => void;
};

/** The part of `EventSource` that is used. */
type StreamSource = {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: Event) => void): void;
  close(): void;
};

/** What a stream needs of its surroundings: how to connect, how to wait (returns how not to), and the newest row known. */
type StreamSurroundings = {
  connect: (after: number | null) => StreamSource;
  wait: (waitMs: number, call: () => void) => () => void;
  newestId: () => number | null;
};

const patienceMs = 10_000;
const firstPauseMs = 5_000;
const longestPauseMs = 300_000;
const mostErrors = 3;
// EventSource.CLOSED: the browser will not try again automatically.
const closed = 2;

/**
 * Keeps one stream of activities, never two, and returns how to end it. The browser fixes short failures itself and then
 * names the last row it got. After three in a row, an answer that is no stream, or 10 s without one, the stream is given
 * up and opened again after 5 s, 10 s, 20 s … 5 min. A new one continues after the newest row known; where none is known,
 * rows may have passed unseen, which counts as a gap.
 */
export const openActivityStream = (
  { onState, onActivity, onGap, onBreak }: StreamListener,
  { connect, wait, newestId }: StreamSurroundings,
): (() => void) => {
  let newest: number | null = null;
  let pauseMs = firstPauseMs;
  let isSound = true;
  let end = () => {};
  const tellBreak = () => {
    if (isSound) onBreak();
    isSound = false;
  };

  const open = () => {
    newest = newestOf(newest, newestId());
    const source = connect(newest);
    let errors = 0;
    const giveUp = () => {
      end();
      tellBreak();
      onState("off");
      end = wait(pauseMs, open);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    };
    let stopWaiting = wait(patienceMs, giveUp);
    end = () => {
      stopWaiting();
      source.close();
    };

    source.addEventListener("open", () => {
      stopWaiting();
      errors = 0;
      isSound = true;
      pauseMs = firstPauseMs;
      onState("live");
      if (newest === null) onGap();
    });
    source.addEventListener("activity", (event) => {
      const activity = asActivity(event);
      newest = newestOf(newest, activity.id);
      onActivity(activity);
    });
    source.addEventListener("gap", onGap);
    source.addEventListener("error", () => {
      errors += 1;
      if (source.readyState === closed || errors >= mostErrors) return giveUp();
      stopWaiting();
      stopWaiting = wait(patienceMs, giveUp);
      tellBreak();
      onState("connecting");
    });
  };

  onState("connecting");
  open();
  return () => end();
};

const newestOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

/** Events of this name are messages, and the server checks every row against its published schema before sending it. */
const asActivity = (event: Event): Activity => JSON.parse((event as MessageEvent<string>).data) as Activity;
