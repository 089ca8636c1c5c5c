import { useEffect, useRef, useSyncExternalStore } from "react";
import { pluginRegistry } from "./plugin-registry.ts";
import type { RegistryState } from "./registry.ts";

const { subscribe, getState, initialize } = pluginRegistry;

/** The registry's state, kept up to date; whoever asks first has it initialised. What was known stays during a refresh. */
export const useRegistry = (): RegistryState => {
  const state = useSyncExternalStore(subscribe, getState, getState);
  const last = useRef(state);
  useEffect(() => {
    if (state.isInitialized) last.current = state;
    else if (!last.current.isInitialized) void initialize();
  }, [state]);
  return state.isInitialized ? state : last.current;
};
