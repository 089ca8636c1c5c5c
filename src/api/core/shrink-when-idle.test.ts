import { expect, jest, spyOn, test } from "bun:test";
import { shrinkWhenIdle } from "./timing.ts";

test("memory is given back once, in the first five seconds without work, and not by a busy process", () => {
  jest.useFakeTimers();
  const cpu = spyOn(process, "cpuUsage");
  const collect = spyOn(Bun, "gc").mockReturnValue();
  const shrink = spyOn(Bun, "shrink").mockReturnValue();
  const spend = (user: number) => cpu.mockReturnValue({ user, system: 0 });
  try {
    shrinkWhenIdle();
    spend(2_000_000);
    jest.advanceTimersByTime(20_000);
    expect(shrink).not.toHaveBeenCalled();
    spend(20_000);
    jest.advanceTimersByTime(20_000);
    expect(shrink).toHaveBeenCalledTimes(1);
    const stop = shrinkWhenIdle();
    stop();
    jest.advanceTimersByTime(20_000);
    expect(shrink).toHaveBeenCalledTimes(1);
  } finally {
    for (const spy of [cpu, collect, shrink]) spy.mockRestore();
    jest.useRealTimers();
  }
});
