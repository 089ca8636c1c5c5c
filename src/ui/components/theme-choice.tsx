import { Monitor, Moon, Sun } from "lucide-react";
import { control } from "#ui/lib/page-controls.ts";
import { useThemeMode } from "#ui/lib/use-theme-mode.ts";

const choices = [
  { mode: "system", label: "Theme of the device", Icon: Monitor },
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
