import { serveControls } from "../lib/page-controls.ts";
import { paintTheme } from "../lib/theme.ts";

/* Stands in the head of the page, in place: paints the theme before anything is seen, and serves the button for it. */

paintTheme();
document.addEventListener("DOMContentLoaded", paintTheme);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paintTheme);
window.addEventListener("storage", paintTheme);
serveControls();
