/**
 * Makes `work` run once at a time, however many ask: who asks while it runs may know of something newer and gets the next
 * run, one for all of them. What is returned resolves or rejects as a run that began after the call.
 */
export const shareRuns = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const run = work();
      // A failure is told to those who wait for this run, not to those who wait for the next.
      running = run.catch(() => {});
      return run;
    });
    return next;
  };
};
