import { pageList } from "../page-list.ts";
import type { Viewer } from "../stage.ts";
import * as accountAct from "./account-acts.ts";
import * as activity from "./activity-acts.ts";
import * as act from "./acts.ts";
import * as contact from "./contact-acts.ts";
import * as plugins from "./plugin-acts.ts";
import * as pluginPage from "./plugin-page-acts.ts";
import * as settings from "./settings-acts.ts";
import * as users from "./user-acts.ts";

/** Something worth a picture: a page, who looks at it, and what they do before the picture is taken. */
export type Scene = {
  name: string;
  path: string;
  who: Viewer;
  act?: act.Act;
  /** Only on screens up to this width, in CSS pixels. */
  maxWidth?: number;
  /** The page has no heading yet. */
  hasNoHeading?: boolean;
};

const pages: Scene[] = [...pageList];

// Only what is on the screen is shown of these: menus, dialogs and notices belong to the window, not to the page.
const moments: (Scene & { act: act.Act })[] = [
  { name: "login-errors", path: "/login", who: "visitor", act: act.submitEmpty },
  { name: "login-refused", path: "/login", who: "visitor", act: act.signInWrongly },
  { name: "login-unverified", path: "/login", who: "visitor", act: act.signInUnverified },
  { name: "login-locked", path: "/login", who: "visitor", act: accountAct.signInTooOften },
  { name: "login-providers", path: "/login", who: "visitor", act: accountAct.providersReady },
  { name: "login-providers-failed", path: "/login", who: "visitor", act: accountAct.providersFail },
  { name: "forgot-errors", path: "/forgot-password", who: "visitor", act: act.submitEmpty },
  { name: "forgot-sent", path: "/forgot-password", who: "visitor", act: accountAct.askForReset },
  { name: "reset-missing", path: "/reset-password", who: "visitor", act: accountAct.resetMissing },
  { name: "reset-errors", path: "/reset-password?token=none", who: "visitor", act: act.submitEmpty },
  { name: "reset-refused", path: "/reset-password?token=none", who: "visitor", act: accountAct.resetRefused },
  { name: "reset-done", path: "/reset-password?token=none", who: "visitor", act: accountAct.resetDone },
  { name: "register-errors", path: "/register", who: "visitor", act: act.submitEmpty },
  { name: "register-filled", path: "/register", who: "visitor", act: act.fillAccount },
  { name: "register-done", path: "/register", who: "visitor", act: act.registerAccount },
  { name: "verify-sent", path: "/verify", who: "visitor", act: act.resendMail },
  { name: "verify-email-done", path: "/verify-email?token=any", who: "visitor", act: act.verified },
  { name: "setup-refused", path: "/setup?token=none", who: "visitor", act: act.setUp },
  { name: "setup-done", path: "/setup?token=any", who: "admin", act: act.setUpDone },
  { name: "gate", path: "/dashboard", who: "user", act: act.gate, hasNoHeading: true },
  { name: "chunk-failed", path: "/", who: "visitor", act: act.chunkFails },
  { name: "server-away", path: "/login", who: "visitor", act: act.serverAway },
  { name: "drawer", path: "/", who: "visitor", act: act.openDrawer, maxWidth: 767 },
  { name: "drawer-signed-in", path: "/", who: "user", act: act.openDrawer, maxWidth: 767 },
  { name: "admin-drawer", path: "/admin", who: "admin", act: act.openDrawer, maxWidth: 767 },
  { name: "avatar-menu", path: "/dashboard", who: "user", act: act.openAvatarMenu },
  { name: "avatar-menu-admin", path: "/admin", who: "admin", act: act.openAvatarMenu },
  { name: "account-loading", path: "/dashboard", who: "user", act: accountAct.accountHangs },
  { name: "account-failed", path: "/dashboard", who: "user", act: accountAct.accountFails },
  { name: "account-no-password", path: "/dashboard", who: "user", act: accountAct.noPassword },
  { name: "account-sessions", path: "/dashboard", who: "user", act: accountAct.manySessions },
  { name: "account-end-others", path: "/dashboard", who: "user", act: accountAct.askEndOthers },
  { name: "account-link", path: "/dashboard", who: "user", act: accountAct.askLink },
  { name: "account-link-wrong", path: "/dashboard", who: "user", act: accountAct.linkWrongly },
  { name: "account-link-stale", path: "/dashboard", who: "user", act: accountAct.linkStale },
  {
    name: "account-link-failed",
    path: "/dashboard?error=link_failed",
    who: "user",
    act: accountAct.linkFailed,
  },
  { name: "account-password-wrong", path: "/dashboard", who: "user", act: accountAct.changePasswordWrongly },
  { name: "account-password-changed", path: "/dashboard", who: "user", act: accountAct.passwordChanged },
  { name: "account-delete", path: "/dashboard", who: "user", act: accountAct.askDelete },
  { name: "account-delete-wrong", path: "/dashboard", who: "user", act: accountAct.deleteWrongly },
  { name: "account-delete-stale", path: "/dashboard", who: "user", act: accountAct.deleteStale },
  { name: "logout-dialog", path: "/dashboard", who: "user", act: act.askLogout },
  { name: "logout-failed", path: "/dashboard", who: "user", act: act.logoutFails },
  { name: "admin-loading", path: "/admin", who: "admin", act: act.adminHangs },
  { name: "admin-failed", path: "/admin", who: "admin", act: act.adminFails },
  { name: "users-none", path: "/admin/users?search=nobody+at+all", who: "admin", act: act.nothing },
  { name: "users-loading", path: "/admin/users", who: "admin", act: act.adminHangs },
  { name: "users-failed", path: "/admin/users", who: "admin", act: act.adminFails },
  { name: "contact-errors", path: "/contact", who: "visitor", act: act.submitEmpty },
  { name: "contact-sent", path: "/contact", who: "visitor", act: contact.send },
  { name: "contact-failed", path: "/contact", who: "visitor", act: contact.fail },
  { name: "messages-many", path: "/admin/messages?page=2", who: "admin", act: contact.manyMessages },
  { name: "messages-none", path: "/admin/messages?search=nothing", who: "admin", act: contact.noMessages },
  { name: "messages-loading", path: "/admin/messages", who: "admin", act: act.adminHangs },
  { name: "messages-failed", path: "/admin/messages", who: "admin", act: act.adminFails },
  { name: "message-detail", path: "/admin/messages", who: "admin", act: contact.openMessage },
  { name: "message-delete", path: "/admin/messages", who: "admin", act: contact.askToDelete },
  { name: "activity-many", path: "/admin/activity?status=failure", who: "admin", act: activity.many },
  { name: "activity-rows", path: "/admin/activity?page=2", who: "admin", act: activity.rows },
  { name: "activity-filters", path: "/admin/activity?status=failure", who: "admin", act: activity.filters },
  { name: "activity-none", path: "/admin/activity?search=nothing", who: "admin", act: activity.none },
  { name: "activity-loading", path: "/admin/activity", who: "admin", act: act.adminHangs },
  { name: "activity-failed", path: "/admin/activity", who: "admin", act: activity.failed },
  { name: "activity-detail", path: "/admin/activity", who: "admin", act: activity.details },
  { name: "activity-export", path: "/admin/activity", who: "admin", act: activity.exportMenu },
  { name: "activity-clean-up", path: "/admin/activity", who: "admin", act: activity.cleanUp },
  { name: "activity-clean-up-wrong", path: "/admin/activity", who: "admin", act: activity.cleanUpWrongly },
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
  { name: "users-many", path: "/admin/users?page=3", who: "admin", act: act.manyUsers },
  { name: "user-detail", path: "/admin/users", who: "admin", act: users.openUser },
  { name: "user-last-admin", path: "/admin/users", who: "admin", act: users.openLastAdmin },
  { name: "user-detail-failed", path: "/admin/users?user=none", who: "admin", act: users.openNobody },
  { name: "user-disable", path: "/admin/users", who: "admin", act: users.askToDisable },
  { name: "user-delete-wrong", path: "/admin/users", who: "admin", act: users.deleteWrongly },
  { name: "user-add-errors", path: "/admin/users", who: "admin", act: users.addWrongly },
  { name: "users-pending", path: "/admin/users?tab=pending", who: "admin", act: users.showPending },
  { name: "user-verify", path: "/admin/users?tab=pending", who: "admin", act: users.askToVerify },
];

/** Every page first, then the moments between them. */
export const scenes: readonly Scene[] = [...pages, ...moments];
