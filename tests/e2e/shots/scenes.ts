import { pageList } from "../page-list.ts";
import { accountScenes } from "./account-scenes.ts";
import { adminScenes } from "./admin-scenes.ts";
import { backupsScenes } from "./backups-scenes.ts";
import { firewallScenes } from "./firewall-scenes.ts";
import * as plugins from "./plugin-acts.ts";
import * as pluginPage from "./plugin-page-acts.ts";
import { settingsScenes } from "./settings-scenes.ts";
import type { Scene, Step } from "./steps.ts";
import { tokenScenes } from "./token-scenes.ts";
import { visitorScenes } from "./visitor-scenes.ts";

const moments: (Omit<Scene, "steps"> & { act: Step })[] = [
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

/**
 * Every page first, then the moments between them. Only what is on the screen is shown of these: menus, dialogs and notices
 * belong to the window, not to the page.
 */
export const scenes: readonly Scene[] = [
  ...pageList,
  ...visitorScenes,
  ...accountScenes,
  ...adminScenes,
  ...backupsScenes,
  ...tokenScenes,
  ...firewallScenes,
  ...settingsScenes,
  ...moments.map(({ act, ...scene }) => ({ ...scene, steps: [act] })),
];
