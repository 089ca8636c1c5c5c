const details = "/admin/plugins/";

/**
 * Which plugin an address of the admin area is about. `isOwn`: it leads to the plugin's own page over the whole width, at
 * `rest` below it; else to what admins see of the plugin.
 */
export const readPluginPath = (path: string): { name: string; rest: string; isOwn: boolean } => {
  if (!path.startsWith(details)) return { name: path.slice("/admin/".length), rest: "", isOwn: true };
  const [name = "", ...rest] = path.slice(details.length).split("/");
  return { name, rest: rest.map((part) => `/${part}`).join(""), isOwn: rest.length > 0 };
};
