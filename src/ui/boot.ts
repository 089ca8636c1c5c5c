import { fillToday } from "./lib/moments.ts";
import { paintFirst, serveControls } from "./lib/page-controls.ts";

/*
 * Runs in the head of every page, in place. It paints the theme before anything is seen, writes today's date where it
 * is waited for, fetches the whole stylesheet without holding up the first paint, and starts the application: immediately
 * after the paint where a form or data waits (`data-eager`), elsewhere when the browser is idle or the reader shows any
 * intent.
 */

type Wish = () => void;

/** How long to wait after the application could not be fetched, and for the stylesheet before it starts without. */
const retryMs = 3000;

const { dataset } = document.currentScript ?? document.documentElement;
let wish: Wish | undefined;
let isStarted = false;
let setStyled: Wish | undefined;
// What the application draws again would come without its look at first, and then move.
const styled = new Promise<void>((resolve) => {
  setStyled = resolve;
});

const start = () => {
  if (isStarted) return;
  isStarted = true;
  for (const url of dataset.chunks?.split(" ") ?? []) addLink("modulepreload", url);
  styled
    .then(() => import(dataset.app ?? ""))
    .catch(() => {
      isStarted = false;
      setTimeout(start, retryMs);
    });
};

const addLink = (rel: string, href: string, done?: Wish) => {
  document.head.append(
    Object.assign(document.createElement("link"), { rel, href, onload: done, onerror: done }),
  );
};

// Until the application is there, a press or a submit is kept and repeated once it can be understood. Without this a
// form would leave the page, and a menu button would seem dead.
const keep = (event: Event, next: Wish) => {
  event.preventDefault();
  event.stopPropagation();
  wish = next;
  start();
};
const onClick = (event: Event) => {
  const { target } = event;
  const button =
    target instanceof Element ? target.closest("button:not([data-control],[type=submit])") : null;
  if (button instanceof HTMLElement) keep(event, () => button.click());
};
const onSubmit = (event: SubmitEvent) => {
  const { target: form, submitter } = event;
  if (form instanceof HTMLFormElement) keep(event, () => form.requestSubmit(submitter));
};

const intents = ["pointerover", "pointerdown", "keydown", "focusin", "touchstart"];

paintFirst();
serveControls();
document.addEventListener("DOMContentLoaded", fillToday);
document.addEventListener("click", onClick, true);
document.addEventListener("submit", onSubmit, true);
document.addEventListener(
  "atrium:ready",
  () => {
    document.removeEventListener("click", onClick, true);
    document.removeEventListener("submit", onSubmit, true);
    wish?.();
  },
  { once: true },
);

for (const intent of intents) window.addEventListener(intent, start, { once: true, passive: true });
const afterPaint = (next: Wish) => requestAnimationFrame(() => setTimeout(next));
afterPaint(() => {
  addLink("stylesheet", dataset.css ?? "", setStyled);
  setTimeout(() => setStyled?.(), retryMs);
  if (dataset.eager !== undefined) start();
});
window.addEventListener("load", () => {
  // Safari has no idle callback; a short rest after loading does.
  if ("requestIdleCallback" in window) requestIdleCallback(start, { timeout: 4000 });
  else setTimeout(start, 500);
});
