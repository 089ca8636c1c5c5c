import { serveControls } from "../lib/page-controls.ts";
import { keepPainted } from "../lib/theme.ts";

/* Runs in the head of the page, in place: paints the theme before anything is seen, and serves the button for it. */

keepPainted();
serveControls();
