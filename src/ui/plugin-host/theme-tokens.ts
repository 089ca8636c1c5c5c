import { isDark } from "#ui/lib/theme.ts";

const names = [
  ...["background", "foreground", "card", "card-foreground", "muted", "muted-foreground", "border", "input"],
  ...["ring", "primary", "primary-foreground", "accent", "accent-foreground", "destructive"],
  ...["destructive-foreground", "success", "warning", "info", "radius"],
];

/** The theme on show, for frames: its name, and its values by custom property. */
export type FrameTheme = { name: "light" | "dark"; tokens: Record<string, string> };

/** Reads the theme from the document. */
export const readFrameTheme = (): FrameTheme => {
  const style = getComputedStyle(document.documentElement);
  const tokens = names.map((name) => [`--${name}`, style.getPropertyValue(`--${name}`).trim()]);
  return { name: isDark() ? "dark" : "light", tokens: Object.fromEntries(tokens) };
};
