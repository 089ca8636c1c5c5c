import { Moon, Sun } from "lucide-react";
import { control } from "#ui/lib/page-controls.ts";

/** Changes between light and dark. Both signs are in the markup; the theme's class on the root shows one. */
export const ThemeToggle = () => (
  <button
    type="button"
    {...control("theme")}
    aria-label="Toggle dark theme"
    className="grid size-11 cursor-pointer place-items-center rounded-md text-muted-foreground transition-colors hover:bg-accent hover:text-foreground md:size-9"
  >
    <Sun aria-hidden="true" className="size-4.5 dark:hidden" />
    <Moon aria-hidden="true" className="hidden size-4.5 dark:block" />
  </button>
);
