import "./styles/app.css";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { onReachableAgain } from "./lib/connection.ts";
import { paintFirst, serveControls } from "./lib/page-controls.ts";
import { currentSession, isSessionGiven, refreshSession } from "./lib/session.ts";
import { keepTypedInput } from "./lib/typed-input.ts";
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
    createRoot(root).render(<App onReady={() => {}} />);
  } else {
    const giveBack = keepTypedInput(root);
    const onReady = () => {
      giveBack();
      document.dispatchEvent(new Event("atrium:ready"));
    };
    hydrateRoot(root, <App onReady={onReady} />);
  }
  prefetchOnIntent();
};

const checkAgain = () => {
  if (currentSession().user === null) void refreshSession();
};

window.addEventListener("focus", checkAgain);
onReachableAgain(checkAgain);
if (!isSessionGiven()) void refreshSession();
void mount();
