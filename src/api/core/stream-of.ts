/**
 * The pieces as a stream of their bytes. The next piece is asked for once the one before has left; who goes away early ends
 * `pieces`, and what `pieces` throws ends the stream.
 */
export const streamOf = <T>(
  pieces: AsyncIterable<T>,
  bytesOf: (piece: T) => Uint8Array<ArrayBuffer>,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(bytesOf(next.value));
      },
      cancel: async () => {
        await iterator.return?.();
      },
    },
    // Nothing is fetched before somebody reads.
    { highWaterMark: 0 },
  );
};

/** For {@link streamOf}: bytes of the stream's own, whatever memory those lie in that come. */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
