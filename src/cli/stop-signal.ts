const signalNumbers = { SIGINT: 2, SIGTERM: 15 } as const;

// Under a package runner one Ctrl-C comes twice, from the terminal and from the runner.
const echoMs = 100;

/**
 * Calls `stop` at the first signal that asks for the end, with the exit code that shells know it by; the second one ends the process at once, but for one so soon
 * after the first that it is the same. Returns how to stop listening.
 */
export const onStopSignal = (stop: (exitCode: number) => void): (() => void) => {
  let askedAtMs: number | null = null;
  const endings = (["SIGINT", "SIGTERM"] as const).map((name) => {
    const ask = () => {
      const now = performance.now();
      const exitCode = 128 + signalNumbers[name];
      if (askedAtMs !== null && now - askedAtMs > echoMs) process.exit(exitCode);
      askedAtMs ??= now;
      stop(exitCode);
    };
    process.on(name, ask);
    return () => process.off(name, ask);
  });
  return () => {
    for (const end of endings) end();
  };
};
