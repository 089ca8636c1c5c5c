/**
 * Runs `work` and answers no sooner than after `floorMs`, failures included: how long the work took, and with it what
 * was found, does not show in the time of the answer.
 */
export const atLeast = async <T>(floorMs: number, work: () => Promise<T>): Promise<T> => {
  const floor = Bun.sleep(floorMs);
  try {
    return await work();
  } finally {
    await floor;
  }
};
