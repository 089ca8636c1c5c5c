/**
 * Begins to measure the processor time of this process: calling the result gives its milliseconds since then. Waiting for a
 * busy machine doesn't count, other threads of the process do.
 */
export const startProcessorTime = (): (() => number) => {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
};
