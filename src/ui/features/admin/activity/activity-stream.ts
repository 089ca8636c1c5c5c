import type { Activity } from "#api/modules/activity/contract.ts";

/** Live; on the way there; or given up for now, so that whoever wants news has to ask for them. */
export type StreamState = "live" | "connecting" | "off";

/** Who wants to hear of what a stream brings. */
export type StreamListener = {
  onState: (state: StreamState) => void;
  /** May bring a row again that was there before; its id tells. */
  onActivity: (activity: Activity) => void;
  /** Rows passed that the stream did not bring. */
  onGap: () => void;
  /** It was refused or ended, once until it is live again: whoever listens had better ask why. */
  onBreak: () => void;
};

/** The part of `EventSource` that is used. */
export type StreamSource = {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: Event) => void): void;
  close(): void;
};

/** What a stream needs of its surroundings: how to connect, how to wait (returns how not to), and the newest row known. */
export type StreamSurroundings = {
  connect: (after: number | null) => StreamSource;
  wait: (waitMs: number, call: () => void) => () => void;
  newestId: () => number | null;
};

const patienceMs = 10_000;
const firstPauseMs = 5_000;
const longestPauseMs = 300_000;
const mostErrors = 3;
// EventSource.CLOSED: the browser will not try again by itself.
const closed = 2;

/**
 * Keeps one stream of activities, never two, and returns how to end it. The browser mends short failures itself and then
 * names the last row it got. After three in a row, an answer that is no stream, or 10 s without one, the stream is given
 * up and opened anew after 5 s, 10 s, 20 s … 5 min. A new one goes on after the newest row known; where none is known,
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
