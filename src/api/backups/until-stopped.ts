const hungAfterMs = 5_000;

/** What was asked to end and does not is left to itself: with its first byte it ends, and the next start sweeps after it. */
export const unlessHung = async <T>(work: Promise<T>, ended: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    timer = setTimeout(() => reject(ended.reason), hungAfterMs);
  };
  if (ended.aborted) wait();
  else ended.addEventListener("abort", wait, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    ended.removeEventListener("abort", wait);
    clearTimeout(timer);
  }
};

/** The bytes until the signal, whose reason they then throw. */
export async function* untilStopped(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    yield chunk;
  }
}
