import { type ComponentType, useState } from "react";
import type { User } from "#contract/users.ts";
import { useSession } from "#ui/lib/session.ts";
import { useHydrated } from "../lib/use-load.ts";
import { accountMenuLabel, avatarButtonClasses, UserAvatar } from "./user-avatar.tsx";

type OpenMenu = ComponentType<{ user: User }>;

const loadMenu = async (): Promise<OpenMenu> => (await import("./user-menu-open.tsx")).UserMenuOpen;

/** The avatar with Dashboard, Admin and Logout behind it. The menu's code comes when the avatar is first wanted. */
export const UserMenu = () => {
  const { user } = useSession();
  const isHydrated = useHydrated();
  const [Menu, setMenu] = useState<OpenMenu | null>(null);
  const open = async () => {
    const menu = await loadMenu();
    setMenu(() => menu);
  };
  if (user !== null && Menu !== null) return <Menu user={user} />;
  const name = isHydrated ? (user?.name ?? null) : null;
  return (
    <button
      type="button"
      aria-label={accountMenuLabel(name)}
      aria-haspopup="menu"
      aria-expanded="false"
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={() => void open()}
      className={avatarButtonClasses}
    >
      <UserAvatar name={name} />
    </button>
  );
};
