import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Config } from "#api/config.ts";
import { passkeyHost, passkeyTexts } from "#contract/passkeys.ts";
import { type AskedStatus, type Check, ok, untold, warn } from "./checks.ts";

const reachName = "reachable";

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
      return [
        warn(reachName, `${appUrl} responds, but is not Atrium (status ${answer.status})`, proxyRemedy),
      ];
    return [
      ok(reachName, `${appUrl} can be reached from here`),
      ...clockOf(answer.headers.get("date"), now()),
    ];
  } catch (error) {
    return [warn(reachName, `${appUrl} cannot be reached from here: ${reasonOf(error)}`, proxyRemedy)];
  }
};

const clockOf = (date: string | null, nowMs: number): Check[] => {
  const skewMs = date === null ? Number.NaN : Date.parse(date) - nowMs;
  // The header counts whole seconds.
  if (!(Math.abs(skewMs) > mostSkewMs)) return [];
  return [
    warn(
      "clock skew",
      `the clock of the server at the public URL is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? "ahead" : "behind"}`,
      "synchronize all machines with a time server (chrony, systemd-timesyncd)",
    ),
  ];
};

const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === "TimeoutError") return "no response in time";
  return String(Reflect.get(Object(error), "code") ?? "unknown reason");
};

const proxyRemedy =
  "open it in a browser: if that works, only this machine can't reach its own public name; otherwise check proxy and DNS";
const mostSkewMs = 10_000;

const originName = "public address";
const lookupMs = 3_000;

type Settings = Pick<Config, "appUrl" | "host" | "port">;

/**
 * Whether emailed links and cookies match the URL that visitors use. `runningUrl` is the public address of the server
 * that runs on the data folder, or `null`: what is set here may not be what it was started with.
 */
export const checkOrigin = async (settings: Settings, runningUrl: string | null = null): Promise<Check> => {
  const { appUrl, host } = settings;
  if (runningUrl !== null && isOther(settings, runningUrl)) {
    return warn(
      originName,
      `the running server uses ${runningUrl}, but the configuration of this command says ${ownAddress(settings)}`,
      "run this with the server's environment, or restart the server with this configuration",
    );
  }
  if (appUrl === null) {
    return isLoopbackHost(host)
      ? ok(originName, `${runningUrl ?? ownAddress(settings)}, for this machine only`)
      : warn(
          originName,
          `the server listens on ${host}, but without APP_URL it only serves localhost, and emailed links point there`,
          "set APP_URL to the https URL that visitors open",
        );
  }
  const { hostname, protocol } = new URL(appUrl);
  if (protocol === "http:" && !isLoopbackHost(host)) {
    return warn(
      originName,
      `the server listens on ${host}, but APP_URL is ${appUrl}`,
      "set APP_URL to the URL that visitors open",
    );
  }
  if (isIP(hostname.replace(/^\[|\]$/g, "")) > 0 || protocol === "http:") return ok(originName, appUrl);
  return (await canLookUp(hostname))
    ? ok(originName, appUrl)
    : warn(
        originName,
        `the host of ${appUrl} cannot be resolved from here`,
        "check its spelling and its DNS record",
      );
};

const ownAddress = ({ appUrl, port }: Settings): string =>
  appUrl ?? (port === 0 ? "http://localhost with a free port" : `http://localhost:${port}`);

// With port 0 the server took whichever was free.
const isOther = (settings: Settings, runningUrl: string): boolean =>
  settings.appUrl === null && settings.port === 0
    ? new URL(runningUrl).hostname !== "localhost"
    : ownAddress(settings) !== runningUrl;

const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host === "::1" || host.startsWith("127.");

const canLookUp = (hostname: string): Promise<boolean> =>
  Promise.race([
    lookup(hostname).then(
      () => true,
      () => false,
    ),
    Bun.sleep(lookupMs).then(() => false),
  ]);

/**
 * Whether passkeys are offered, and whether some don't work: `ofOtherHosts` is how many, as far as a server tells. A host of theirs that is
 * neither that of `APP_URL` nor a parent domain is asked whether it lets this site use them. Source: Web Authentication §5.11.1.
 */
export const checkPasskeys = async (
  { appUrl, passkeyRpId }: Pick<Config, "appUrl" | "passkeyRpId">,
  ofOtherHosts: number,
  ask: (url: string) => Promise<Response> = (url) => fetch(url, { signal: AbortSignal.timeout(askMs) }),
): Promise<Check> => {
  const name = "passkeys";
  const { hostname, origin } = new URL(appUrl ?? "http://localhost");
  const isOwn = passkeyRpId === null || hostname === passkeyRpId || hostname.endsWith(`.${passkeyRpId}`);
  if (!isOwn && !(await isRelated(origin, `https://${passkeyRpId}/.well-known/webauthn`, ask)))
    return warn(
      name,
      `browsers refuse them: PASSKEY_RP_ID is ${passkeyRpId}, which is neither ${hostname} nor a parent domain, and does not name ${origin} in /.well-known/webauthn`,
      `set PASSKEY_RP_ID to the host of APP_URL or a parent domain, or have https://${passkeyRpId} serve that file (docs/accounts.md)`,
    );
  if (ofOtherHosts > 0)
    return warn(
      name,
      `${ofOtherHosts} don't work, because APP_URL named another host when they were added`,
      "set PASSKEY_RP_ID to the former host (docs/accounts.md), or have their owners add new ones",
    );
  if (appUrl !== null && passkeyHost(appUrl) === null)
    return ok(name, `not offered. ${passkeyTexts.notOffered}`);
  const isParent = isOwn && passkeyRpId !== null && passkeyRpId !== hostname;
  return ok(
    name,
    isParent
      ? `offered, for ${passkeyRpId} and its subdomains; browsers refuse a public suffix, such as co.uk`
      : "offered",
  );
};

const askMs = 4_000;

const isRelated = async (
  origin: string,
  url: string,
  ask: (url: string) => Promise<Response>,
): Promise<boolean> => {
  try {
    const origins: unknown = Reflect.get(Object(await (await ask(url)).json()), "origins");
    return Array.isArray(origins) && origins.includes(origin);
  } catch {
    // Away or no JSON: a browser can't use it either.
    return false;
  }
};

const visitorsName = "visitors";

/** Under which address the server sees visitors, which proxies it believes about that, and whether a proxy makes them all look the same. */
export const checkVisitors = (asked: AskedStatus): Check => {
  if (asked === null) return ok(visitorsName, "unknown: only a running server sees their IP addresses");
  if ("problem" in asked) return untold(visitorsName, asked.problem);
  const { warning, newestVisitor = null, trustedProxies } = asked.status.visitor;
  const believed =
    trustedProxies.length === 0 ? "no proxy is trusted" : `trusted proxies: ${trustedProxies.join(", ")}`;
  if (warning !== null) {
    return warn(
      visitorsName,
      newestVisitor === null ? warning : `${warning} The latest visitor's IP address is ${newestVisitor}.`,
      "TRUSTED_PROXIES is read when the server starts; turn Trust Proxy on with: " +
        "atrium settings set core.security.trustProxy true",
    );
  }
  return ok(
    visitorsName,
    newestVisitor === null
      ? `no visitors in the last ten minutes; open a page and run this again to see its IP address; ${believed}`
      : `the latest visitor's IP address is ${newestVisitor}; ${believed}`,
  );
};
