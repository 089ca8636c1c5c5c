import { useLoad } from "@atrium/plugin-sdk/ui";
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type { ConfigData } from "../backend/wire.ts";
import { type Calls, createCalls, isConflict, isUnreachable } from "./calls.ts";

/** What the sub-pages share. */
export type Firewall = {
  api: WindowApi;
  calls: Calls;
  config: ConfigData;
  /** Asks for the configuration again, as after each write: a change may be pending, and the revision is another one. */
  refresh: () => Promise<ConfigData>;
};

/** Filled by the page around all sub-pages. */
export const FirewallContext = createContext<Firewall | null>(null);

/** The firewall as it is known. Throws outside its page. */
export const useFirewall = (): Firewall => {
  const firewall = useContext(FirewallContext);
  if (firewall === null) throw new Error("there is no firewall page around this part");
  return firewall;
};

const restingMs = 15_000;
const pendingMs = 5_000;

/** The firewall's configuration: asked for at first, then from time to time, and more often while a change is on trial. */
export const useConfig = (api: WindowApi) => {
  // Another one with each address below the page, and no reason to load anything again.
  const send = useRef(api.call);
  useEffect(() => {
    send.current = api.call;
  }, [api.call]);
  const calls = useMemo(() => createCalls((...call) => send.current(...call)), []);
  const [config, setConfig] = useState<ConfigData | null>(null);
  const [asOf, setAsOf] = useState(() => new Date());
  const [error, setError] = useState<unknown>(null);
  const newest = useRef(0);

  const refresh = useCallback(async () => {
    newest.current += 1;
    const call = newest.current;
    try {
      const data = await calls.config();
      if (call === newest.current) {
        setConfig(data);
        setAsOf(new Date());
        setError(null);
      }
      return data;
    } catch (cause) {
      // What is known stays on show.
      if (call === newest.current) setError(cause);
      throw cause;
    }
  }, [calls]);

  const isPending = config?.pending != null;
  useEffect(() => {
    const ask = () => void refresh().catch(() => undefined);
    if (newest.current === 0) ask();
    const timer = setInterval(
      () => document.visibilityState === "visible" && ask(),
      isPending ? pendingMs : restingMs,
    );
    return () => clearInterval(timer);
  }, [refresh, isPending]);

  return { calls, config, asOf, error, refresh };
};

/** Loads as `useLoad` does, and again whenever rules or switches are others than they were. */
export const useRuleLoad = <T>(load: () => Promise<T>, everyMs?: number) => {
  const { revision } = useFirewall().config;
  const loaded = useLoad(load, everyMs);
  const seen = useRef(revision);
  const reload = useRef(loaded.reload);
  useEffect(() => {
    reload.current = loaded.reload;
  }, [loaded.reload]);
  useEffect(() => {
    if (seen.current === revision) return;
    seen.current = revision;
    reload.current();
  }, [revision]);
  return loaded;
};

/** Sends a change with the revision that it was made at, and resolves to the answer. */
export type Save = <T>(send: (revision: number) => Promise<T>) => Promise<T>;

/**
 * Sends changes of rules with the revision that they were seen at, and asks for the configuration afterwards. Where someone
 * else was quicker the change is refused, their rules are loaded, and the next try is made with them in sight. What
 * `isHeld` counts from when it was opened, such as a dialog, until a conflict was seen.
 */
export const useSaver = (isHeld = false): Save => {
  const { config, refresh } = useFirewall();
  const seen = useRef(config.revision);
  return async (send) => {
    try {
      const answer = await send(isHeld ? seen.current : config.revision);
      // What was saved is saved: the next poll brings what this one could not.
      await refresh().catch(() => undefined);
      return answer;
    } catch (error) {
      if (isConflict(error)) seen.current = (await refresh().catch(() => config)).revision;
      // Whether it was saved all the same shows as soon as the server answers; until then the page tells how old it is.
      if (isUnreachable(error)) void refresh().catch(() => undefined);
      throw error;
    }
  };
};
