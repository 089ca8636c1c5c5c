import "./styles/app.css";
import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { onReachableAgain } from "./lib/connection.ts";
import { watchHistory } from "./lib/history-guard.ts";
import { paintFirst, serveControls } from "./lib/page-controls.ts";
import { checkSessionAgain, isSessionGiven, refreshSession } from "./lib/session.ts";
import { startSiteScripts } from "./plugin-host/start-site-scripts.ts";
import { prefetchOnIntent, routeAt } from "./routes.tsx";

const mount = async () => {
  const root = document.getElementById("app");
  if (root === null) throw new Error("the page has no element with the id app");
  await routeAt(location.pathname).page.load();
  const isPrerendered = root.firstElementChild !== null;
  if (!isPrerendered) {
    paintFirst();
    serveControls();
    createRoot(root).render(<App onReady={startSiteScripts} />);
  } else {
    const giveBack = keepTypedInput(root);
    const onReady = () => {
      giveBack();
      document.dispatchEvent(new Event("atrium:ready"));
      startSiteScripts();
    };
    // In slices of a few milliseconds: in one piece a slow phone would stand still for a tenth of a second.
    startTransition(() => void hydrateRoot(root, <App onReady={onReady} />));
  }
  prefetchOnIntent();
};

const checkAgain = () => checkSessionAgain();

window.addEventListener("focus", checkAgain);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && checkAgain());
onReachableAgain(checkAgain);
if (!isSessionGiven()) void refreshSession();
watchHistory();
void mount();

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/**
 * Notes which prerendered fields are typed into. The returned function, called once React runs the page, tells it about
 * each of them: React takes the texts it finds for its own and would never hear of what was typed before.
 */
const keepTypedInput = (root: HTMLElement): (() => void) => {
  const typed = new Set(
    [...root.querySelectorAll<TextControl>("input, textarea")].filter(
      (field) => field.value !== field.defaultValue,
    ),
  );
  // React takes the page over in slices, between which users continue typing.
  const note = ({ target }: Event) => {
    if (isTextControl(target)) typed.add(target);
  };
  root.addEventListener("input", note, true);
  return () => {
    root.removeEventListener("input", note, true);
    for (const field of typed) retype(field, field.value);
  };
};

const isTextControl = (target: EventTarget | null): target is TextControl =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

// React watches the element's own `value` property to tell real changes from its own: resetting through it and then
// writing through the prototype's setter makes the typed text count as a change.
const retype = (field: TextControl, text: string) => {
  if (!field.isConnected) return;
  field.value = field.defaultValue;
  const prototype =
    field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
};
