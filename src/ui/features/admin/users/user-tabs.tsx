import { Link } from "wouter";
import { usersTexts as texts } from "./texts.ts";
import { type UserTab, userTabs } from "./user-query.ts";

/** The way from one list of the page to the other. They are links: each list has an address of its own. */
export const UserTabs = ({ tab }: { tab: UserTab }) => (
  <nav aria-label={texts.whichList} className="flex gap-1 overflow-x-auto border-border border-b">
    {userTabs.map((name) => (
      <Link
        key={name}
        href={name === "accounts" ? "/admin/users" : `/admin/users?tab=${name}`}
        aria-current={name === tab ? "page" : undefined}
        className="-mb-px inline-flex h-11 shrink-0 items-center border-transparent border-b-2 px-3 font-medium text-muted-foreground text-sm outline-none transition-colors hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset aria-[current=page]:border-primary aria-[current=page]:text-foreground md:h-9"
      >
        {texts.tabs[name]}
      </Link>
    ))}
  </nav>
);
