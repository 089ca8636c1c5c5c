import { useCallback, useEffect, useRef, useState } from "react";
import { pageSettingsTexts, type ServiceState, type StorageState } from "#contract/settings.ts";
import { ApiError } from "#ui/lib/api.ts";
import { onReachableAgain } from "#ui/lib/connection.ts";
import { notify } from "#ui/lib/notices.ts";
import { getStatus, type KnownStatus } from "./api.ts";

/** The installation's state: `null` while it is not known, be it for the first time or because it could not be had. */
export type SystemWatch = {
  status: KnownStatus | null;
  /** Whether the newest answer did not come. */
  hasFailed: boolean;
  isRefreshing: boolean;
  /** Asks again, quietly. */
  reload: () => void;
  /** Asks again and says how that went. */
  refreshFirewall: () => Promise<void>;
};

/** Watches the installation's state, known from the beginning or not, as often as it says while the page is in sight, and whenever it comes into sight. */
export const useSystemStatus = (initial: KnownStatus | null | undefined): SystemWatch => {
  const [status, setStatus] = useState<KnownStatus | null>(initial ?? null);
  const [hasFailed, setHasFailed] = useState(initial === null);
  const [isRefreshing, setIsRefreshing] = useState(false);
  const newest = useRef(0);

  const ask = useCallback(async () => {
    newest.current += 1;
    const call = newest.current;
    try {
      const found = await getStatus();
      if (call !== newest.current) return;
      setStatus(found);
      setHasFailed(false);
    } catch (error) {
      if (call === newest.current) {
        setStatus(null);
        setHasFailed(true);
      }
      throw error;
    }
  }, []);

  const reload = useCallback(() => {
    // That the state is not known is shown in its place.
    ask().catch((error: unknown) => console.warn("the system's state could not be loaded", error));
  }, [ask]);

  const isKnown = useRef(initial !== undefined);
  useEffect(() => {
    if (!isKnown.current) reload();
  }, [reload]);
  useEffect(() => onReachableAgain(reload), [reload]);

  const everyMs = pollMs(status);
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && reload();
    const timer = setInterval(look, everyMs);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [reload, everyMs]);

  const refreshFirewall = async () => {
    setIsRefreshing(true);
    try {
      await ask();
      notify({ tone: "success", message: pageSettingsTexts.firewallRefreshed });
    } catch (error) {
      notify(refreshFailure(error));
    } finally {
      setIsRefreshing(false);
    }
  };

  return { status, hasFailed, isRefreshing, reload, refreshFirewall };
};

// A firewall that cannot be asked counts as disabled; anything else than a failed call is a fault of its own.
const refreshFailure = (error: unknown) => {
  if (error instanceof ApiError)
    return { tone: "warning" as const, message: pageSettingsTexts.firewallSeemsOff };
  const message = error instanceof Error ? error.message : String(error);
  return { tone: "error" as const, message: pageSettingsTexts.firewallError(message) };
};

type Services = { redis: Pick<ServiceState, "state">; storage: Pick<StorageState, "state" | "migration"> };

/**
 * How soon to look again at how the services are doing: immediately, nearly, while something is on its way, be it a connection
 * or objects to their new home; soon while one is away or (`null`) nothing is known; seldom where none is used. An admin
 * whose calls are counted like everyone's can leave the page open all the same.
 */
export const pollMs = (services: Partial<Services> | null): number => {
  if (services === null) return 5_000;
  const { redis, storage } = services;
  const states = [redis?.state, storage?.state];
  if ((storage?.migration ?? null) !== null || states.includes("connecting")) return 2_000;
  if (states.includes("away")) return 5_000;
  return states.includes("up") ? 15_000 : 30_000;
};
