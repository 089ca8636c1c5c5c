import type { Permission } from "#contract/plugins.ts";

/** A permission in a line: its name, and how far it goes. */
export const permissionText = ({ name, hosts, plugins }: Permission): string => {
  const reach = hosts ?? plugins ?? [];
  return reach.length === 0 ? name : `${name} (${reach.join(", ")})`;
};
