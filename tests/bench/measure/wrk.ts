/** One run of wrk. Times are those of whole answers, at as many requests as the server can take. */
export type Load = { url: string; cookie: string | null; connections: number; seconds: number };
export type LoadResult = { requests: number; requestsPerSecond: number; p50Ms: number; p99Ms: number };

/** Loads a server from one thread. Throws when an answer is not a success. */
export const runWrk = async ({ url, cookie, connections, seconds }: Load): Promise<LoadResult> => {
  const header = cookie === null ? [] : ["-H", `cookie: ${cookie}`];
  const words = ["wrk", "-t1", `-c${connections}`, `-d${seconds}s`, "--latency", ...header, url];
  const child = Bun.spawn(words, { stdout: "pipe", stderr: "inherit" });
  const output = await new Response(child.stdout).text();
  const failures = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(output);
  if ((await child.exited) !== 0 || failures)
    throw new Error(`${words.join(" ")}: ${failures?.[0] ?? output}`);
  const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
  return {
    requests,
    requestsPerSecond: perSecond,
    p50Ms: quantileMs(output, 50),
    p99Ms: quantileMs(output, 99),
  };
};

const unitMs: Record<string, number> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };

const quantileMs = (output: string, percent: number): number => {
  const [, value, unit = ""] = new RegExp(`\\b${percent}%\\s+([\\d.]+)([a-z]+)`).exec(output) ?? [];
  return Number(value) * (unitMs[unit] ?? Number.NaN);
};
