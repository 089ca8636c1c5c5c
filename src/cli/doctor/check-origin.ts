import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Config } from "#api/config.ts";
import { type Check, ok, warn } from "./check.ts";

const name = "public address";
const lookupMs = 3_000;

type Settings = Pick<Config, "appUrl" | "host" | "port">;

/**
 * Whether mailed links and cookies will suit how people reach the server. `runningUrl` is the public address of the server
 * that runs on the data folder, or `null`: what is set here may not be what it was started with.
 */
export const checkOrigin = async (settings: Settings, runningUrl: string | null = null): Promise<Check> => {
  const { appUrl, host } = settings;
  if (runningUrl !== null && isOther(settings, runningUrl)) {
    return warn(
      name,
      `the running server has ${runningUrl}, but the settings here say ${ownAddress(settings)}`,
      "run this with the server's own environment, or restart the server with these settings",
    );
  }
  if (appUrl === null) {
    return isLoopbackHost(host)
      ? ok(name, `${runningUrl ?? ownAddress(settings)}, for this machine only`)
      : warn(
          name,
          `the server listens on ${host}, but without APP_URL it serves localhost only, and mailed links lead there`,
          "set APP_URL to the https address that people type",
        );
  }
  const { hostname, protocol } = new URL(appUrl);
  if (protocol === "http:" && !isLoopbackHost(host)) {
    return warn(
      name,
      `the server listens on ${host}, but APP_URL is ${appUrl}`,
      "set APP_URL to the address that people type",
    );
  }
  if (isIP(hostname.replace(/^\[|\]$/g, "")) > 0 || protocol === "http:") return ok(name, appUrl);
  return (await canLookUp(hostname))
    ? ok(name, appUrl)
    : warn(
        name,
        `the host of ${appUrl} cannot be looked up from here`,
        "check its spelling and its DNS entry",
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
