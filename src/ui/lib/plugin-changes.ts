const listeners = new Set<() => void>();

/** Says that a plugin was installed, switched, updated or deleted: what is shown of plugins elsewhere may be old. */
export const tellPluginsChanged = (): void => {
  for (const listener of listeners) listener();
};

/** Calls `listener` whenever {@link tellPluginsChanged} is; returns how to stop. */
export const onPluginsChanged = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
