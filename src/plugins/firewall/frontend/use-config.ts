import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type { ConfigData } from "../backend/wire.ts";
import { createCalls } from "./calls.ts";

const restingMs = 15_000;
const pendingMs = 5_000;

/** The firewall's configuration: asked for at first, then now and again, and sooner while a change is on trial. */
export const useConfig = (api: WindowApi) => {
  // Another one with each address below the page, and no reason to load anything anew.
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
