/** Resolves as `work` does, or throws when that takes longer. The work itself goes on. */
export const within = async <T>(limitMs: number, work: PromiseLike<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const giveUp = (): void => {
      const late = new Error(`no answer within ${limitMs} ms`);
      // It would be the timer's, which tells nothing; and a machine that is busy is no fault of the program.
      late.stack = "";
      reject(late);
    };
    // In two steps: after a pause of the process the first timer fires before an answer that is waiting is read.
    timer = setTimeout(
      () => {
        timer = setTimeout(giveUp, lastStepMs);
      },
      Math.max(0, limitMs - lastStepMs),
    );
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
};

const lastStepMs = 100;
