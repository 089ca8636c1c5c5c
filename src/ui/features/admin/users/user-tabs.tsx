import { TabLinks } from "../tab-links.tsx";
import { usersTexts as texts } from "./texts.ts";
import type { UserTab } from "./user-query.ts";

/** The way from one list of the page to the other. */
export const UserTabs = ({ tab }: { tab: UserTab }) => (
  <TabLinks
    label={texts.whichList}
    tabs={texts.tabs}
    current={tab}
    addressOf={(name) => (name === "accounts" ? "/admin/users" : `/admin/users?tab=${name}`)}
  />
);
