import { pageList } from "../page-list.ts";
import { accountScenes } from "./account-scenes.ts";
import { adminScenes } from "./admin-scenes.ts";
import { backupsScenes } from "./backups-scenes.ts";
import * as firewall from "./firewall-acts.ts";
import * as plugins from "./plugin-acts.ts";
import * as pluginPage from "./plugin-page-acts.ts";
import * as settings from "./settings-acts.ts";
import type { Scene, Step } from "./steps.ts";
import { tokenScenes } from "./token-scenes.ts";
import { visitorScenes } from "./visitor-scenes.ts";

// Only what is on the screen is shown of these: menus, dialogs and notices belong to the window, not to the page.
const moments: (Omit<Scene, "steps"> & { act: Step })[] = [
  { name: "firewall-overview", path: "/admin/firewall", who: "admin", act: firewall.overview },
  { name: "firewall-loading", path: "/admin/firewall", who: "admin", act: firewall.loading },
  { name: "firewall-failed", path: "/admin/firewall", who: "admin", act: firewall.failed },
  { name: "firewall-troubled", path: "/admin/firewall", who: "admin", act: firewall.troubled },
  { name: "firewall-on-trial", path: "/admin/firewall", who: "admin", act: firewall.onTrial },
  { name: "firewall-traffic", path: "/admin/firewall/traffic", who: "admin", act: firewall.traffic },
  {
    name: "firewall-request",
    path: "/admin/firewall/traffic?request=request-2",
    who: "admin",
    act: firewall.request,
  },
  { name: "firewall-no-traffic", path: "/admin/firewall/traffic", who: "admin", act: firewall.noTraffic },
  { name: "firewall-addresses", path: "/admin/firewall/addresses", who: "admin", act: firewall.addresses },
  {
    name: "firewall-no-addresses",
    path: "/admin/firewall/addresses",
    who: "admin",
    act: firewall.noAddresses,
  },
  {
    name: "firewall-address-refused",
    path: "/admin/firewall/addresses",
    who: "admin",
    act: firewall.addressRefused,
  },
  { name: "firewall-import", path: "/admin/firewall/addresses", who: "admin", act: firewall.importing },
  { name: "firewall-countries", path: "/admin/firewall/countries", who: "admin", act: firewall.countries },
  { name: "firewall-rate", path: "/admin/firewall/rates", who: "admin", act: firewall.rate },
  {
    name: "firewall-patterns",
    path: "/admin/firewall/attacks?show=found",
    who: "admin",
    act: firewall.patterns,
  },
  {
    name: "firewall-exemption",
    path: "/admin/firewall/attacks?list=exemptions",
    who: "admin",
    act: firewall.exemption,
  },
  { name: "firewall-bans", path: "/admin/firewall/bans", who: "admin", act: firewall.bans },
  { name: "firewall-history", path: "/admin/firewall/history", who: "admin", act: firewall.history },
  { name: "firewall-no-history", path: "/admin/firewall/history", who: "admin", act: firewall.noHistory },
  { name: "firewall-replay", path: "/admin/firewall/replay", who: "admin", act: firewall.replay },
  {
    name: "firewall-explained",
    path: "/admin/firewall/explain/01JD2K7Q9W3X5Y7Z",
    who: "admin",
    act: firewall.explained,
  },
  {
    name: "firewall-unexplained",
    path: "/admin/firewall/explain/none",
    who: "admin",
    act: firewall.unexplained,
  },
  { name: "admin-troubled", path: "/admin", who: "admin", act: settings.troubledOverview },
  { name: "settings-troubled", path: "/admin/settings", who: "admin", act: settings.troubled },
  { name: "settings-security", path: "/admin/settings", who: "admin", act: settings.troubledSecurity },
  { name: "settings-managed", path: "/admin/settings", who: "admin", act: settings.managed },
  { name: "settings-errors", path: "/admin/settings", who: "admin", act: settings.errors },
  { name: "settings-half-saved", path: "/admin/settings", who: "admin", act: settings.halfSaved },
  { name: "settings-leave", path: "/admin/settings", who: "admin", act: settings.leave },
  { name: "settings-test-passed", path: "/admin/settings", who: "admin", act: settings.testPassed },
  { name: "settings-test-failed", path: "/admin/settings", who: "admin", act: settings.testFailed },
  { name: "settings-mails", path: "/admin/settings?mails=dead", who: "admin", act: settings.deadMails },
  { name: "settings-mail", path: "/admin/settings?mails=dead", who: "admin", act: settings.deadMail },
  { name: "settings-history", path: "/admin/settings", who: "admin", act: settings.history },
  { name: "settings-loading", path: "/admin/settings", who: "admin", act: settings.loading },
  { name: "settings-failed", path: "/admin/settings", who: "admin", act: settings.failed },
  { name: "plugins-many", path: "/admin/plugins", who: "admin", act: plugins.many },
  { name: "plugins-none", path: "/admin/plugins", who: "admin", act: plugins.none },
  { name: "plugins-loading", path: "/admin/plugins", who: "admin", act: plugins.loading },
  { name: "plugins-failed", path: "/admin/plugins", who: "admin", act: plugins.failed },
  { name: "plugin-delete", path: "/admin/plugins", who: "admin", act: plugins.askToDelete },
  { name: "plugin-delete-wrong", path: "/admin/plugins", who: "admin", act: plugins.deleteWrongly },
  { name: "plugin-consent", path: "/admin/plugins", who: "admin", act: plugins.consent },
  { name: "plugin-review", path: "/admin/plugins", who: "admin", act: plugins.review },
  { name: "plugin-upload", path: "/admin/plugins", who: "admin", act: plugins.upload },
  { name: "plugin-upload-preview", path: "/admin/plugins", who: "admin", act: plugins.uploadPreview },
  { name: "plugin-upload-obstacles", path: "/admin/plugins", who: "admin", act: plugins.uploadObstacles },
  { name: "plugin-upload-refused", path: "/admin/plugins", who: "admin", act: plugins.uploadRefused },
  { name: "plugin-upload-sending", path: "/admin/plugins", who: "admin", act: plugins.uploadSending },
  { name: "plugin-keys", path: "/admin/plugins?tab=keys", who: "admin", act: plugins.keys },
  { name: "plugin-key-add", path: "/admin/plugins?tab=keys", who: "admin", act: plugins.addKey },
  { name: "plugin-key-revoke", path: "/admin/plugins?tab=keys", who: "admin", act: plugins.revokeKey },
  { name: "plugin-overview", path: "/admin/plugins/visitor-notes", who: "admin", act: pluginPage.overview },
  { name: "plugin-broken", path: "/admin/plugins/visitor-notes", who: "admin", act: pluginPage.broken },
  {
    name: "plugin-permissions",
    path: "/admin/plugins/visitor-notes?tab=permissions",
    who: "admin",
    act: pluginPage.pending,
  },
  {
    name: "plugin-versions",
    path: "/admin/plugins/visitor-notes?tab=versions",
    who: "admin",
    act: pluginPage.versions,
  },
  {
    name: "plugin-settings",
    path: "/admin/plugins/visitor-notes?tab=settings",
    who: "admin",
    act: pluginPage.settingsForm,
  },
  {
    name: "plugin-log",
    path: "/admin/plugins/visitor-notes?tab=log",
    who: "admin",
    act: pluginPage.logLines,
  },
  { name: "plugin-data", path: "/admin/plugins/visitor-notes?tab=data", who: "admin", act: pluginPage.data },
  { name: "plugin-page-failed", path: "/admin/plugins/visitor-notes", who: "admin", act: pluginPage.failed },
];

/** Every page first, then the moments between them. */
export const scenes: readonly Scene[] = [
  ...pageList,
  ...visitorScenes,
  ...accountScenes,
  ...adminScenes,
  ...backupsScenes,
  ...tokenScenes,
  ...moments.map(({ act, ...scene }) => ({ ...scene, steps: [act] })),
];
