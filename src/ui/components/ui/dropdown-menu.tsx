import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import { Link } from "wouter";
import { cn } from "#ui/lib/cn.ts";
import { DropdownMenuSurface } from "./dropdown-menu-surface.tsx";

type DropdownMenuProps = {
  /** Names the button and its menu. */
  label: string;
  /** What the button shows. */
  trigger: ReactNode;
  triggerClassName: string;
  /** Whether it is open from the start, with the focus in it. */
  defaultOpen?: boolean;
  /** Of the menu's surface. */
  className?: string;
  /** Items, labels and separators. */
  children: ReactNode;
};

/**
 * A menu hung on a button. Arrow keys open it and move in it, Escape, Tab and presses elsewhere close it; an item that is
 * chosen closes it too, and the button has the focus back by the time the item acts on the page. Keys and roles: WAI-ARIA APG, menu button.
 */
export const DropdownMenu = ({
  label,
  trigger,
  triggerClassName,
  defaultOpen = false,
  className,
  children,
}: DropdownMenuProps) => {
  // Which item takes the focus: 0 the first, -1 the last.
  const [openAt, setOpenAt] = useState<0 | -1 | null>(defaultOpen ? 0 : null);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpenAt(null);
  return (
    <div ref={root} className="opener">
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={openAt !== null}
        onClick={() => setOpenAt(openAt === null ? 0 : null)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          setOpenAt(event.key === "ArrowDown" ? 0 : -1);
        }}
        className={triggerClassName}
      >
        {trigger}
      </button>
      {openAt !== null && (
        <DropdownMenuSurface
          root={root}
          label={label}
          openAt={openAt}
          onClose={close}
          onDone={() => {
            close();
            button.current?.focus();
          }}
          className={className}
        >
          {children}
        </DropdownMenuSurface>
      )}
    </div>
  );
};

const itemLook =
  "flex h-11 w-full cursor-pointer select-none items-center gap-2.5 rounded-sm px-2.5 outline-none focus:bg-accent focus:text-accent-foreground disabled:opacity-50 md:h-8 [&_svg]:size-4 [&_svg]:text-muted-foreground";

/** A choice in the menu. */
export const DropdownMenuItem = ({ className, ...props }: ComponentProps<"button">) => (
  <button type="button" role="menuitem" tabIndex={-1} className={cn(itemLook, className)} {...props} />
);

/** A choice that leads to another page. */
export const DropdownMenuLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} role="menuitem" tabIndex={-1} className={itemLook}>
    {children}
  </Link>
);

/** Words in the menu that are no choice. */
export const DropdownMenuLabel = ({ className, ...props }: ComponentProps<"div">) => (
  <div className={cn("px-2.5 py-2", className)} {...props} />
);

/** A hairline between groups of choices. */
export const DropdownMenuSeparator = () => <hr className="-mx-1 my-1 border-border" />;
