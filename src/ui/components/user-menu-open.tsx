import { LayoutDashboard, LogOut, ShieldCheck } from "lucide-react";
import { Link } from "wouter";
import type { User } from "#contract/users.ts";
import { askLogout } from "#ui/lib/logout-question.ts";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "./ui/dropdown-menu.tsx";
import { UserAvatar } from "./user-avatar.tsx";
import { avatarButtonClasses } from "./user-menu.tsx";

/** The account menu from the moment it was first opened. */
export const UserMenuOpen = ({ user }: { user: User }) => (
  <DropdownMenu defaultOpen>
    <DropdownMenuTrigger aria-label="Account menu" className={avatarButtonClasses}>
      <UserAvatar name={user.name} />
    </DropdownMenuTrigger>
    <DropdownMenuContent align="end" className="w-60">
      <DropdownMenuLabel>
        <p className="truncate font-medium">{user.name}</p>
        <p className="truncate text-muted-foreground text-xs">{user.email}</p>
      </DropdownMenuLabel>
      <DropdownMenuSeparator />
      <DropdownMenuItem asChild>
        <Link href="/dashboard">
          <LayoutDashboard aria-hidden="true" />
          Dashboard
        </Link>
      </DropdownMenuItem>
      {user.role === "admin" && (
        <DropdownMenuItem asChild>
          <Link href="/admin">
            <ShieldCheck aria-hidden="true" />
            Admin
          </Link>
        </DropdownMenuItem>
      )}
      <DropdownMenuSeparator />
      {/* A frame later the menu has closed and given focus back, so that the dialog can do the same when it ends. */}
      <DropdownMenuItem onSelect={() => requestAnimationFrame(() => askLogout())}>
        <LogOut aria-hidden="true" />
        Logout
      </DropdownMenuItem>
    </DropdownMenuContent>
  </DropdownMenu>
);
