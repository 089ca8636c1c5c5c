const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

// Under a package runner one Ctrl-C comes twice, from the terminal and from the runner.
const echoMs = 100;

/**
 * Calls `stop` at the first signal that asks for the end, with the exit code that shells know it by; the second one ends the process immediately, unless it comes so soon
 * after the first that it is the same. Returns how to stop listening.
 */
export const onStopSignal = (stop: (exitCode: number) => void): (() => void) => {
  let askedAtMs: number | null = null;
  const endings = (["SIGINT", "SIGTERM"] as const).map((name) => {
    const ask = () => {
      const now = performance.now();
      const exitCode = 128 + signalNumbers[name];
      if (askedAtMs !== null && now - askedAtMs > echoMs) process.exit(exitCode);
      askedAtMs ??= now;
      stop(exitCode);
    };
    process.on(name, ask);
    return () => process.off(name, ask);
  });
  return () => {
    for (const end of endings) end();
  };
};

/** The message for a command that was canceled before it changed anything. */
export const nothingChanged = "canceled; nothing was changed";

/** Waits for a result, but no longer than until `ended`, whose reason it then throws. */
export const untilEnded = async <T>(result: Promise<T>, ended: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(ended.reason);
  ended.addEventListener("abort", end, { once: true });
  if (ended.aborted) end();
  try {
    return await Promise.race([result, promise]);
  } finally {
    ended.removeEventListener("abort", end);
  }
};

/** The bytes as they come, even if the source stalls; throws the reason of `ended`. */
export async function* bytesUntilEnded(
  bytes: AsyncIterable<Uint8Array>,
  ended: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilEnded(iterator.next(), ended);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // One that still waits for its next piece does not answer.
    iterator.return?.().catch(() => {});
  }
}
