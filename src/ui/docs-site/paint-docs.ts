import { serveControls } from "../lib/page-controls.ts";
import { keepPainted } from "../lib/theme.ts";

/*
 * Runs in the head of each page of the documentation, in place: paints the theme before anything is seen, says that
 * what needs scripts may show itself, and serves the button for the theme.
 */

keepPainted();
document.documentElement.dataset.scripts = "on";
serveControls();
