/** What the reader chose; `system` follows the device. */
export type ThemeMode = "light" | "dark" | "system";

const storageKey = "theme-mode";
const changeEvent = "atrium:theme";
const prefersDark = () => matchMedia("(prefers-color-scheme: dark)");

/** The stored choice; `system` when there is none, or storage is closed. */
export const readThemeMode = (): ThemeMode => {
  const stored = readStored();
  return stored === "light" || stored === "dark" ? stored : "system";
};

/** Whether the page is to be dark at this moment. */
export const isDark = (): boolean => {
  const mode = readThemeMode();
  return mode === "system" ? prefersDark().matches : mode === "dark";
};

/** Gives the root element the theme's class, and the browser's own bars the theme's color. */
const paintTheme = (): void => {
  const isNowDark = isDark();
  document.documentElement.classList.toggle("dark", isNowDark);
  for (const colour of document.querySelectorAll<HTMLMetaElement>("meta[data-theme]")) {
    colour.media = (colour.dataset.theme === "dark") === isNowDark ? "all" : "not all";
  }
};

/** Paints the theme, and again whenever the device's preference changes, or the choice in another tab. */
export const keepPainted = (): void => {
  paintTheme();
  prefersDark().addEventListener("change", paintTheme);
  window.addEventListener("storage", paintTheme);
};

/** Keeps a choice for this browser and paints it. */
export const setThemeMode = (mode: ThemeMode): void => {
  try {
    localStorage.setItem(storageKey, mode);
  } catch {
    // Storage is closed to this page: the choice holds until the next load.
    document.documentElement.dataset.theme = mode;
  }
  paintTheme();
  document.dispatchEvent(new Event(changeEvent));
};

/** Changes between light and dark, starting from what is on show. */
export const toggleTheme = (): void => setThemeMode(isDark() ? "light" : "dark");

/** Calls `listener` when the choice changes, here or in another tab, or the device's preference; returns how to stop. */
export const onThemeChange = (listener: () => void): (() => void) => {
  const media = prefersDark();
  document.addEventListener(changeEvent, listener);
  window.addEventListener("storage", listener);
  media.addEventListener("change", listener);
  return () => {
    document.removeEventListener(changeEvent, listener);
    window.removeEventListener("storage", listener);
    media.removeEventListener("change", listener);
  };
};

const readStored = (): string | null | undefined => {
  try {
    return document.documentElement.dataset.theme ?? localStorage.getItem(storageKey);
  } catch {
    return null;
  }
};
