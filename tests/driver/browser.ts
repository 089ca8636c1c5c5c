import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { headlessShell } from "./headless-shell.ts";
import { recordPages } from "./traffic-recorder.ts";

/** How a page is looked at. Width in CSS pixels. */
export type View = { width: number; theme: "light" | "dark"; touch?: boolean };

type BrowserOptions = {
  /** Shows scrollbars that take up room, as most desktops do; pictures and tests go without unless they ask. */
  hasScrollbars?: boolean;
  /** Features, by Chromium's names, that the browser does without, as older ones do. */
  without?: readonly string[];
};

/** Chromium, unable to reach anything but this machine. */
export const launchBrowser = ({
  hasScrollbars = false,
  without = [],
}: BrowserOptions = {}): Promise<Browser> =>
  chromium.launch({
    ignoreDefaultArgs: hasScrollbars ? ["--hide-scrollbars"] : [],
    executablePath: headlessShell,
    timeout: 60_000,
    args: [
      // Tests run as root, where Chromium's own sandbox cannot work.
      "--no-sandbox",
      "--disable-gpu",
      // Letters as wide as in a browser with windows, not rounded to whole pixels.
      "--font-render-hinting=none",
      "--disable-quic",
      // Beside that of a window Chromium keeps another one ready, for pages that no test opens: a sixth of all computing.
      "--renderer-process-limit=1",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
      ...(without.length > 0 ? [`--disable-features=${without.join(",")}`] : []),
    ],
  });

/** A page with what it complained about and what it tried to load from elsewhere. */
export type WatchedPage = { page: Page; context: BrowserContext; complaints: string[]; foreign: string[] };

/** Opens a page of its own that writes down errors, refused scripts and styles, and requests to other hosts. */
export const openPage = async (browser: Browser, view: View): Promise<WatchedPage> => {
  const context = await browser.newContext({
    viewport: { width: view.width, height: view.width < 500 ? 844 : 900 },
    colorScheme: view.theme,
    reducedMotion: "reduce",
    ...(view.touch ? { hasTouch: true, isMobile: true } : {}),
  });
  recordPages(context);
  const foreign: string[] = [];
  // Only watched: the browser itself resolves no other name, and a route would cost each request a detour and the cache.
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith("http") && !["127.0.0.1", "localhost"].includes(hostname)) {
      foreign.push(request.url());
    }
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // A refused call is shown by the browser itself; the pages answer for it in words.
    const isStatus = /Failed to load resource/.test(message.text());
    if (message.type() === "error" && !isStatus) complaints.push(message.text());
  });
  return { page, context, complaints, foreign };
};
