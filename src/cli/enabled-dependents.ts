/** A plugin as the API lists it; only admins are told what it needs and what people call it. */
export type ListedPlugin = {
  name: string;
  enabled: boolean;
  title?: string;
  dependsOn?: readonly string[];
};

/** The enabled plugins that need one, by way of others too: they go off with it, those first that nothing else of them needs. */
export const enabledDependents = (plugins: readonly ListedPlugin[], name: string): ListedPlugin[] => {
  const found: ListedPlugin[] = [];
  const seen = new Set([name]);
  const walk = (needed: string): void => {
    for (const plugin of plugins) {
      if (!plugin.enabled || !plugin.dependsOn?.includes(needed) || seen.has(plugin.name)) continue;
      seen.add(plugin.name);
      walk(plugin.name);
      found.push(plugin);
    }
  };
  walk(name);
  return found;
};
