import { serveControls } from "../lib/page-controls.ts";
import { paintTheme } from "../lib/theme.ts";

/*
 * Stands in the head of each page of the documentation, in place: paints the theme before anything is seen, says that
 * what needs scripts may show itself, and serves the button for the theme.
 */

paintTheme();
document.documentElement.dataset.scripts = "on";
document.addEventListener("DOMContentLoaded", paintTheme);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paintTheme);
window.addEventListener("storage", paintTheme);
serveControls();
