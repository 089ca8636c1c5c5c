import { useLoad } from "@atrium/plugin-sdk/ui";
import { useEffect, useRef } from "react";
import { useFirewall } from "./firewall-context.ts";

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
