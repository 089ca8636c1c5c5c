/** Lets a limited number of tasks run at the same time; the others wait in the order in which they came. */
export const createTurnstile = (most: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = [];
  let inside = 0;

  const enter = async (): Promise<void> => {
    if (inside < most) {
      inside += 1;
      return;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  };

  const leave = (): void => {
    const next = waiting.shift();
    // The slot is handed over: a task that comes meanwhile can't take it.
    if (next === undefined) inside -= 1;
    else next();
  };

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
