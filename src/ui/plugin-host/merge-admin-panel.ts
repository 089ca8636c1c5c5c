import type { AdminPanel } from "#plugins/sdk/types.ts";

/**
 * What the server says of a plugin's panel over what the plugin was built with: `enabled` wins if it is set, menu item and
 * card field by field.
 */
export const mergeAdminPanel = (
  built: AdminPanel | null | undefined,
  server: Partial<AdminPanel> | null | undefined,
): AdminPanel => {
  const menuItem = over(built?.menuItem, server?.menuItem);
  const card = over(built?.card, server?.card);
  return {
    enabled: server?.enabled ?? built?.enabled ?? false,
    ...(menuItem === undefined ? {} : { menuItem }),
    ...(card === undefined ? {} : { card }),
  };
};

const over = <T extends object>(
  built: T | null | undefined,
  server: T | null | undefined,
): T | Partial<T> | undefined => {
  if (!built && !server) return undefined;
  const merged: Partial<T> = { ...built };
  for (const name of keysOf(server ?? {})) {
    const value = server?.[name];
    if (value !== undefined && value !== null) merged[name] = value;
  }
  return merged;
};

// Object.keys forgets the type of its keys; these are the object's own.
const keysOf = <T extends object>(value: Partial<T>) => Object.keys(value) as (keyof T)[];
