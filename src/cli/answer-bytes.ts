import { CliFailure } from "./failure.ts";

/** How long an answer may be silent; the time that its reader takes does not count. */
export type Patience = {
  /** Ends the call when nothing has come for too long, or when the caller ends it. */
  signal: AbortSignal;
  /** Waits for something with this patience. Throws `UNREACHABLE` when it is over, or the reason of the caller's signal. */
  wait<T>(something: Promise<T>): Promise<T>;
};

/** The patience for one answer of `target` that comes in pieces; `ended` is the caller's signal, if there is one. */
export const createPatience = ({
  silenceMs,
  target,
  ended,
}: {
  silenceMs: number;
  target: string;
  ended: AbortSignal | undefined;
}): Patience => {
  const silence = new AbortController();
  const signal = ended ? AbortSignal.any([ended, silence.signal]) : silence.signal;
  const giveUp = () =>
    silence.abort(new CliFailure("UNREACHABLE", `${target} was silent for ${silenceMs / 1000} seconds`));
  return {
    signal,
    wait: async (something) => {
      const over = Promise.withResolvers<never>();
      const end = () => over.reject(signal.reason);
      const timer = setTimeout(giveUp, silenceMs);
      signal.addEventListener("abort", end);
      if (signal.aborted) end();
      try {
        // An app in this process hears of no signal.
        return await Promise.race([something, over.promise]);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
      }
    },
  };
};

/** The bytes of an answer as they arrive. Throws `UNREACHABLE` with the name `what` when they break off. */
export const answerBytes = async function* (
  body: ReadableStream<Uint8Array>,
  { patience, what }: { patience: Patience; what: string },
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await patience.wait(reader.read());
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    throw new CliFailure("UNREACHABLE", `${what} broke off`, { cause: error });
  } finally {
    // Who leaves early wants nothing more, and an app in this process ends its query before it is closed. A body that
    // broke cannot be told.
    await reader.cancel().catch(() => {});
  }
};
