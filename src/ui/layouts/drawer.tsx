import { Menu, X } from "lucide-react";
import type { ReactNode } from "react";
import { control } from "#ui/lib/page-controls.ts";

type DrawerProps = { id: string; label: string; children: ReactNode };

const iconButton =
  "grid size-11 cursor-pointer place-items-center rounded-md text-muted-foreground hover:bg-accent hover:text-foreground";

/** Opens the drawer of that id; only below the md breakpoint. */
export const DrawerButton = ({ id, label }: { id: string; label: string }) => (
  <button
    type="button"
    {...control(`open:${id}`)}
    aria-label={label}
    aria-haspopup="dialog"
    className={`${iconButton} md:hidden`}
  >
    <Menu aria-hidden="true" className="size-5" />
  </button>
);

/** A menu from the edge, at most 320 px wide. It works from the first paint on. */
export const Drawer = ({ id, label, children }: DrawerProps) => (
  <dialog
    id={id}
    data-drawer=""
    aria-label={label}
    className="fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-[85vw] max-w-80 flex-col border-l bg-background text-foreground shadow-xl transition-[translate] duration-200 starting:translate-x-full max-md:open:flex md:hidden"
  >
    <div className="flex min-h-0 grow flex-col overflow-y-auto p-3">
      <button
        type="button"
        {...control("close")}
        aria-label="Close menu"
        className={`${iconButton} self-end`}
      >
        <X aria-hidden="true" className="size-5" />
      </button>
      {children}
    </div>
  </dialog>
);
