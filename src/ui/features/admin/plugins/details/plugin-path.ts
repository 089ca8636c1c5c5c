const details = "/admin/plugins/";
const admin = "/admin/";

/**
 * Which plugin an address of the admin area is about. `isOwn`: it leads to the plugin's own page over the whole width, which
 * is at `base`, at `rest` below it; else to what admins see of the plugin.
 */
export const readPluginPath = (
  path: string,
): { name: string; base: string; rest: string; isOwn: boolean } => {
  const folder = path.startsWith(details) ? details : admin;
  const [name = "", ...rest] = path.slice(folder.length).split("/");
  return {
    name,
    base: folder + name,
    rest: rest.map((part) => `/${part}`).join(""),
    isOwn: folder === admin || rest.length > 0,
  };
};
