import { DropdownMenu as Menu } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "#ui/lib/cn.ts";

/** A menu hung on a button. Never modal: Radix's scroll lock would inject a style element, which the policy forbids. */
export const DropdownMenu = (props: Omit<ComponentProps<typeof Menu.Root>, "modal">) => (
  <Menu.Root modal={false} {...props} />
);

/** The button that opens the menu. */
export const DropdownMenuTrigger = Menu.Trigger;

/** The menu's surface. */
export const DropdownMenuContent = ({
  className,
  sideOffset = 6,
  ...props
}: ComponentProps<typeof Menu.Content>) => (
  <Menu.Portal>
    <Menu.Content
      sideOffset={sideOffset}
      className={cn(
        "z-50 min-w-48 rounded-md border border-border bg-popover p-1 text-popover-foreground text-sm shadow-lg transition-opacity duration-150 starting:opacity-0",
        className,
      )}
      {...props}
    />
  </Menu.Portal>
);

/** A choice in the menu. */
export const DropdownMenuItem = ({ className, ...props }: ComponentProps<typeof Menu.Item>) => (
  <Menu.Item
    className={cn(
      "flex h-11 cursor-pointer select-none items-center gap-2.5 rounded-sm px-2.5 outline-none data-disabled:opacity-50 data-highlighted:bg-accent data-highlighted:text-accent-foreground md:h-8 [&_svg]:size-4 [&_svg]:text-muted-foreground",
      className,
    )}
    {...props}
  />
);

/** Words in the menu that are no choice. */
export const DropdownMenuLabel = ({ className, ...props }: ComponentProps<typeof Menu.Label>) => (
  <Menu.Label className={cn("px-2.5 py-2", className)} {...props} />
);

/** A hairline between groups of choices. */
export const DropdownMenuSeparator = () => <Menu.Separator className="-mx-1 my-1 h-px bg-border" />;
