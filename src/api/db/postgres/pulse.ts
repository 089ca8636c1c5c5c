import postgres from "postgres";
import { within } from "#api/core/timing.ts";
import { createSockets } from "./sockets.ts";

/** Hears what is sent to one channel. */
type ChannelListener = { onMessage(payload: string): void; onState(isConnected: boolean): void };

/** One connection of its own, which finds out whether the server answers, and on which notifications arrive. */
export type Pulse = {
  /** The server has not answered lately. */
  readonly isAway: boolean;
  /** Resolves when the first attempt to listen has been made. */
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>;
  stop(): Promise<void>;
};

/**
 * Checks once a second whether the server responds. A server that is frozen, or behind a broken network, refuses
 * nothing: without this, queries would wait for it without end.
 */
export const startPulse = (url: string, onAway: () => void): Pulse => {
  const channels = new Map<string, ChannelListener>();
  const heard = new Set<string>();
  let isAway = false;
  let isStopped = false;
  let heardAtMs = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let beating: Promise<void> = Promise.resolve();

  const lose = (): void => {
    for (const channel of heard) channels.get(channel)?.onState(false);
    heard.clear();
    heardAtMs = Number.NEGATIVE_INFINITY;
  };
  const sockets = createSockets(() => isStopped);
  const options = {
    socket: sockets.open,
    connection: { application_name: "atrium pulse" },
    max: 1,
    max_lifetime: null,
    connect_timeout: 2,
    backoff: () => 0,
    fetch_types: false,
    onnotice: () => {},
    onclose: lose,
    // Understood by postgres.js, though its types leave it out.
    onnotify: (channel: string, payload: string) => {
      heardAtMs = performance.now();
      channels.get(channel)?.onMessage(payload);
    },
  };
  const sql = postgres(url, options);

  const ask = async (): Promise<void> => {
    for (const [channel, listener] of channels) {
      if (heard.has(channel)) continue;
      await sql.unsafe(`listen ${quoted(channel)}`);
      heard.add(channel);
      listener.onState(true);
    }
    await sql`select 1`;
  };

  const beat = async (): Promise<void> => {
    try {
      await within(answerLimitMs, ask());
      isAway = false;
    } catch (error) {
      // A refusal is an answer, too: the pool will hear its own. So are notifications, of which others can send so many
      // that the answer waits behind them.
      isAway = !(error instanceof postgres.PostgresError) && performance.now() - heardAtMs > answerLimitMs;
      if (isAway && !isStopped) {
        sockets.cut();
        onAway();
      }
    }
    if (!isStopped) timer = setTimeout(() => void beatNow(), isAway ? awayPauseMs : pauseMs);
  };

  /** Lets a beat that is under way end first: there is one timer and one connection. */
  const beatNow = async (): Promise<void> => {
    beating = beating.then(() => {
      clearTimeout(timer);
      return beat();
    });
    await beating;
  };
  void beatNow();

  return {
    get isAway() {
      return isAway;
    },
    listen: async (channel, listener) => {
      channels.set(channel, listener);
      await beatNow();
      return async () => {
        channels.delete(channel);
        if (!heard.delete(channel)) return;
        // Without a connection nothing is heard anyway.
        await sql.unsafe(`unlisten ${quoted(channel)}`).catch(() => {});
      };
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await sql.end({ timeout: 1 });
    },
  };
};

const quoted = (channel: string): string => `"${channel.replaceAll('"', '""')}"`;

const pauseMs = 1000;
const awayPauseMs = 250;
// With the pause before it: less than three seconds from the freeze to the failure of what waits.
const answerLimitMs = 1500;
