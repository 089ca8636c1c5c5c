import { pageList } from "../page-list.ts";
import { accountScenes } from "./account-scenes.ts";
import { adminScenes } from "./admin-scenes.ts";
import { backupsScenes } from "./backups-scenes.ts";
import { firewallScenes } from "./firewall-scenes.ts";
import { pluginScenes } from "./plugin-scenes.ts";
import { settingsScenes } from "./settings-scenes.ts";
import type { Scene } from "./steps.ts";
import { tokenScenes } from "./token-scenes.ts";
import { visitorScenes } from "./visitor-scenes.ts";

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
  ...pluginScenes,
];
