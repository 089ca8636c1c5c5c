/**
 * Gives back the memory that only the start needed, code above all, in the first five seconds in which this process has
 * next to nothing to do: one that is busy keeps what it has compiled. Returns what calls that off.
 */
export const shrinkWhenIdle = (): (() => void) => {
  let before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    if (user + system > calmUs) return;
    clearInterval(timer);
    Bun.gc(true);
    Bun.shrink();
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
};

const lookMs = 5_000;
const calmUs = 250_000;
