import { pageList } from "../page-list.ts";
import type { Viewer } from "../stage.ts";
import * as act from "./acts.ts";

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
  { name: "logout-dialog", path: "/dashboard", who: "user", act: act.askLogout },
  { name: "logout-failed", path: "/dashboard", who: "user", act: act.logoutFails },
  { name: "admin-loading", path: "/admin", who: "admin", act: act.adminHangs },
  { name: "admin-failed", path: "/admin", who: "admin", act: act.adminFails },
  { name: "users-none", path: "/admin/users?search=nobody+at+all", who: "admin", act: act.nothing },
  { name: "users-loading", path: "/admin/users", who: "admin", act: act.adminHangs },
  { name: "users-failed", path: "/admin/users", who: "admin", act: act.adminFails },
  { name: "users-many", path: "/admin/users?page=3", who: "admin", act: act.manyUsers },
];

/** Every page first, then the moments between them. */
export const scenes: readonly Scene[] = [...pages, ...moments];
