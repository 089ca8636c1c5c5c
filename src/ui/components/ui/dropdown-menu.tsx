import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Link } from "wouter";
import { cn } from "#ui/lib/cn.ts";

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

type DropdownMenuSurfaceProps = {
  /** The menu with its button: a press or the focus elsewhere closes. */
  root: RefObject<HTMLElement | null>;
  label: string;
  /** Which item takes the focus: 0 the first, -1 the last. */
  openAt: 0 | -1;
  onClose: () => void;
  /** An item was chosen, or Escape pressed: close, and take the focus back. */
  onDone: () => void;
  className?: string | undefined;
  children: ReactNode;
};

/** An open menu, above everything else on the page. The item with the focus is the one that is lit, by pointer too. */
const DropdownMenuSurface = ({
  root,
  label,
  openAt,
  onClose,
  onDone,
  className,
  children,
}: DropdownMenuSurfaceProps) => {
  const surface = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    surface.current?.showPopover();
    itemsIn(surface.current).at(openAt)?.focus();
  }, [openAt]);

  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const look = ({ target }: Event) => {
      if (target instanceof Node && root.current?.contains(target) === false) close.current();
    };
    document.addEventListener("pointerdown", look);
    document.addEventListener("focusin", look);
    return () => {
      document.removeEventListener("pointerdown", look);
      document.removeEventListener("focusin", look);
    };
  }, [root]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const items = itemsIn(surface.current);
    const place = items.findIndex((item) => item.matches(":focus"));
    const next = itemByKey(event.key, items, place);
    if (event.key === "Escape") onDone();
    // Links know Enter alone.
    else if (event.key === " ") items[place]?.click();
    else if (next !== undefined) next.focus();
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={surface}
      popover="manual"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
      onClick={(event) => itemOf(event) !== null && onDone()}
      onPointerMove={(event) => itemOf(event)?.focus()}
      className={cn(
        "hung-on-opener min-w-48 rounded-md border border-border bg-popover p-1 text-popover-foreground text-sm shadow-lg outline-none transition-opacity duration-150 starting:opacity-0",
        className,
      )}
    >
      {children}
    </div>
  );
};

const itemsIn = (surface: HTMLElement | null): HTMLElement[] => [
  ...(surface?.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)") ?? []),
];

const itemOf = ({ target }: SyntheticEvent): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[role=menuitem]:not(:disabled)") : null;

const itemByKey = (key: string, items: readonly HTMLElement[], place: number): HTMLElement | undefined => {
  switch (key) {
    case "ArrowDown":
      return items[(place + 1) % items.length];
    case "ArrowUp":
      return items.at(Math.max(place, 0) - 1);
    case "Home":
      return items[0];
    case "End":
      return items.at(-1);
    default:
      return itemByLetter(key, items, place);
  }
};

/** The next item that begins with the typed letter, from behind the one that has the focus on. */
const itemByLetter = (key: string, items: readonly HTMLElement[], place: number): HTMLElement | undefined =>
  [...items.slice(place + 1), ...items.slice(0, place + 1)].find(
    ({ textContent }) => key.length === 1 && textContent.trim().toLowerCase().startsWith(key.toLowerCase()),
  );
