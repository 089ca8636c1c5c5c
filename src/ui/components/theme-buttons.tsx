import { Monitor, Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { control } from "#ui/lib/page-controls.ts";
import { onThemeChange, readThemeMode, type ThemeMode } from "#ui/lib/theme.ts";

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

const choices = [
  { mode: "system", label: "System theme", Icon: Monitor },
  { mode: "light", label: "Light theme", Icon: Sun },
  { mode: "dark", label: "Dark theme", Icon: Moon },
] as const;

/** Device, light or dark: the whole choice, with the one in force pressed. */
export const ThemeChoice = () => {
  const chosen = useThemeMode();
  return (
    <fieldset aria-label="Theme" className="inline-flex rounded-full border p-0.5">
      {choices.map(({ mode, label, Icon }) => (
        <button
          key={mode}
          type="button"
          {...control(`theme:${mode}`)}
          aria-label={label}
          aria-pressed={chosen === mode}
          className="grid size-10 cursor-pointer place-items-center rounded-full text-muted-foreground hover:text-foreground aria-pressed:bg-accent aria-pressed:text-foreground md:size-7"
        >
          <Icon aria-hidden="true" className="size-4 md:size-3.5" />
        </button>
      ))}
    </fieldset>
  );
};

/** The reader's choice of theme; `null` until the page is live, because markup made ahead of time cannot know it. */
const useThemeMode = (): ThemeMode | null => useSyncExternalStore(onThemeChange, readThemeMode, () => null);
