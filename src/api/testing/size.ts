/** Picks a heavy check's size: the small one by default, the full one under `bun run test full`. */
export const sized = (small: number, full: number): number =>
  process.env.TEST_SIZE === "full" ? full : small;
