/**
 * What `work` fails with, or `undefined`. Unlike `expect(…).rejects` it lets the process continue meanwhile: that one
 * holds up timers and sockets, which is what the work may be waiting for.
 */
export const failureOf = (work: PromiseLike<unknown>): PromiseLike<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
