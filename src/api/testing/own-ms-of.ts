/** What `work` takes in milliseconds, less what a machine that is busy makes everything late by. */
export const ownMsOf = async (work: () => unknown): Promise<number> => {
  const startedAt = performance.now();
  const msSince = () => performance.now() - startedAt;
  const lateMs = Bun.sleep(200).then(() => msSince() - 200);
  await work();
  const tookMs = msSince();
  return tookMs < 300 ? tookMs : tookMs - (await lateMs);
};
