import { LayoutDashboard, LogOut, ShieldCheck } from "lucide-react";
import type { User } from "#contract/users.ts";
import { askLogout } from "#ui/components/logout-question.tsx";
import { memberMenu } from "#ui/layouts/menus.ts";
import {
  DropdownMenu,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuLink,
  DropdownMenuSeparator,
} from "./ui/dropdown-menu.tsx";
import { accountMenuLabel, avatarButtonClasses, UserAvatar } from "./user-avatar.tsx";

/** The account menu from the moment it was first opened. */
export const UserMenuOpen = ({ user }: { user: User }) => (
  <DropdownMenu
    label={accountMenuLabel(user.name)}
    trigger={<UserAvatar name={user.name} />}
    triggerClassName={avatarButtonClasses}
    defaultOpen
    className="w-60"
  >
    <DropdownMenuLabel>
      <p className="truncate font-medium">{user.name}</p>
      <p className="truncate text-muted-foreground text-xs">{user.email}</p>
    </DropdownMenuLabel>
    <DropdownMenuSeparator />
    <DropdownMenuLink href="/dashboard">
      <LayoutDashboard aria-hidden="true" />
      Dashboard
    </DropdownMenuLink>
    {memberMenu.map(({ href, label, Icon }) => (
      <DropdownMenuLink key={href} href={href}>
        <Icon aria-hidden="true" />
        {label}
      </DropdownMenuLink>
    ))}
    {user.role === "admin" && (
      <DropdownMenuLink href="/admin">
        <ShieldCheck aria-hidden="true" />
        Admin
      </DropdownMenuLink>
    )}
    <DropdownMenuSeparator />
    <DropdownMenuItem onClick={() => askLogout()}>
      <LogOut aria-hidden="true" />
      Logout
    </DropdownMenuItem>
  </DropdownMenu>
);
