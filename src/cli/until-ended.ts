/** What somebody reads who broke off a command that had changed nothing yet. */
export const nothingChanged = "cancelled; nothing was changed";

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

/** The bytes as they come, also from somebody who has nothing more to say; they throw the reason of `ended`. */
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
