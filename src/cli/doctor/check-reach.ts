import { type Check, ok, warn } from "./check.ts";

const name = "reachable";

/**
 * Whether the public address leads to a server of ours from here, and whether its proxy's clock agrees; asked only
 * while a server runs. `appUrl` is `null` without a public address.
 */
export const checkReach = async (
  appUrl: string | null,
  {
    isRunning,
    now = () => Date.now(),
    limitMs = 4_000,
  }: { isRunning: boolean; now?: () => number; limitMs?: number },
): Promise<Check[]> => {
  if (appUrl === null || !isRunning) return [];
  try {
    const answer = await fetch(`${appUrl}/api/health`, {
      signal: AbortSignal.timeout(limitMs),
      redirect: "manual",
    });
    const body: unknown = await answer.json().catch(() => null);
    if (answer.status !== 200 || Reflect.get(Object(body), "status") !== "alive")
      return [warn(name, `${appUrl} answers, but not as Atrium does (status ${answer.status})`, proxyRemedy)];
    return [ok(name, `${appUrl} answers from here`), ...clockOf(answer.headers.get("date"), now())];
  } catch (error) {
    return [warn(name, `${appUrl} cannot be reached from here: ${reasonOf(error)}`, proxyRemedy)];
  }
};

const clockOf = (date: string | null, nowMs: number): Check[] => {
  const skewMs = date === null ? Number.NaN : Date.parse(date) - nowMs;
  // The header counts whole seconds.
  if (!(Math.abs(skewMs) > mostSkewMs)) return [];
  return [
    warn(
      "clock skew",
      `what answers at the public address is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? "ahead" : "behind"}`,
      "let all machines follow a time server (chrony, systemd-timesyncd)",
    ),
  ];
};

const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === "TimeoutError") return "no answer in time";
  return String(Reflect.get(Object(error), "code") ?? "no reason given");
};

const proxyRemedy =
  "open it in a browser: if that works, this machine only cannot call itself by its public name; otherwise look at proxy and DNS";
const mostSkewMs = 10_000;
