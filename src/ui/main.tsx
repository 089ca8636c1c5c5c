import "./styles/app.css";
import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { onReachableAgain } from "./lib/connection.ts";
import { watchHistory } from "./lib/history-guard.ts";
import { paintFirst, serveControls } from "./lib/page-controls.ts";
import { checkSessionAgain, isSessionGiven, refreshSession } from "./lib/session.ts";
import { keepTypedInput } from "./lib/typed-input.ts";
import { startSiteScripts } from "./plugin-host/start-site-scripts.ts";
import { prefetchOnIntent } from "./prefetch.ts";
import { routeAt } from "./routes.tsx";

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
