import type { Permission, PermissionName, PluginSignature } from "./plugins.ts";

/** How much trust a permission takes: `high` reaches beyond the plugin's own data, or other people. */
type PermissionWeight = "low" | "high";

type Words = { title: string; text: string; weight: PermissionWeight };

const low = (title: string, text: string): Words => ({ title, text, weight: "low" });
const high = (title: string, text: string): Words => ({ title, text, weight: "high" });

/** What each permission lets a plugin do, as someone says it who has never written one. */
export const permissionTexts: Record<PermissionName, Words> = {
  routes: low("Respond to administrators", "Adds its own endpoints to the API, for administrators only."),
  "routes.user": low("Respond to signed-in users", "All users can use some of its endpoints."),
  "routes.public": high("Respond to anyone", "Visitors who are not signed in can use some of its endpoints."),
  "storage.kv": low("Store data", "Stores up to 10,000 entries of its own. It can't see anyone else's data."),
  "storage.files.read": low("Read its files", "Reads the files that it has stored."),
  "storage.files.write": low("Store files", "Stores and deletes its own files."),
  "net.fetch": high("Connect to other servers", "Sends and receives data over the internet, from and to:"),
  "settings.write": low("Change its settings", "Changes the settings that you see on its page."),
  "secrets.read": high("Read its secrets", "Reads the passwords and keys that you enter in its settings."),
  "activity.write": low("Write to the activity log", "Records what it does, under its own name."),
  events: low("Receive events", "Is notified of sign-ins, changed settings and other events."),
  schedule: low("Run in the background", "Runs regularly without being asked."),
  "users.read": high("See your users", "Looks up the name and role of users."),
  "mail.send": high(
    "Send email to users",
    "Sends up to 100 emails an hour from this server's address, to users of this site only.",
  ),
  "mail.send:anyone": high(
    "Send email to anyone",
    "Its emails may go to any address, not only to users of this site. They come from this server's address.",
  ),
  "request.rules": high("Block visitors", "Decides whose requests are refused, for the whole site."),
  "plugins.call": high("Use other plugins", "Uses these plugins with the permissions that they have:"),
  "ui.page": low("Show a page", "Adds a page to the admin area, in its own frame."),
  "ui.overlay": high("Show something on every page", "Puts something over the pages of the site."),
  "ui.site": high(
    "Run on every page",
    "Runs a script on every page, for every visitor. It can see and change everything they see.",
  ),
  "ui.native": high(
    "Be part of the admin area",
    "Its page runs without a frame, and can do anything in your browser that you can.",
  ),
  native: high(
    "Run without a sandbox",
    "Runs inside the server, with all of the server's rights. Nothing that it does can be prevented.",
  ),
};

/** Said of a permission that reaches far. */
export const seriousText = "Far-reaching";

/** Why a plugin's author wants a permission. */
export const reasonText = (reason: string): string => `Its author says: “${reason}”`;

/** Whether a permission reaches beyond the plugin's own data, or other people. */
export const isHeavy = ({ name }: Pick<Permission, "name">): boolean =>
  permissionTexts[name].weight === "high";

/** Permissions as they are shown: the far-reaching ones first. */
export const weightiestFirst = (permissions: readonly Permission[]): Permission[] =>
  permissions.toSorted((a, b) => Number(isHeavy(b)) - Number(isHeavy(a)));

/** Where a package comes from, and how far that can be relied on. */
export const originText = ({ state, claimedKeyId, publisher }: PluginSignature): string => {
  if (state === "signed") return origins.signed(publisher ?? "an unnamed publisher");
  return origins[state === "unsigned" && claimedKeyId !== undefined ? "unknown" : state];
};

const origins = {
  bundled: "Built in",
  signed: (publisher: string) => `Signed by ${publisher}, whose key you trust`,
  unsigned: "Not signed: no one vouches for its author. Enable it only if you know where it comes from.",
  modified: "Its files are not those that its author signed. Someone has changed them.",
  unknown: "Signed with a key that isn't trusted, so no one vouches for its author.",
  invalid: "Its signature is not valid: this is not what its publisher made.",
  revoked: "Signed with a key that was revoked.",
} as const;
