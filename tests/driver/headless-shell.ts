/**
 * Where Debian puts Chromium without windows and toolbars, which cost more computing than the pages in them: the same engine
 * draws the same pages. The program of this name in `/usr/bin` is a shell around it.
 */
export const headlessShell = "/usr/lib/chromium/chromium-headless-shell";
