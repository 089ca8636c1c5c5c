import { useSyncExternalStore } from "react";
import { onThemeChange, readThemeMode, type ThemeMode } from "./theme.ts";

/** The reader's choice of theme; `null` until the page is live, because markup made ahead of time cannot know it. */
export const useThemeMode = (): ThemeMode | null =>
  useSyncExternalStore(onThemeChange, readThemeMode, () => null);
