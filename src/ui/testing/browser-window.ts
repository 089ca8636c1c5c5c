import { Window } from "happy-dom";

/** A window for component tests, whose names are global only between `enter` and `leave`. */
export type BrowserWindow = {
  enter(): void;
  leave(): void;
  /** Empties the page and its storage and goes to a path, without anything being loaded. */
  reset(path: string): void;
};

/**
 * Opens the one window of this process: React, the router and the page's own modules keep what they found when they were
 * loaded, so test files that share a process also share it.
 */
export const openBrowserWindow = (): BrowserWindow => {
  const window = new Window({ url: origin, width: 1280, height: 900 });
  announceSteps(window);
  addMissingParts(window);
  const parts = browserParts(window);
  let covered: PropertyDescriptorMap = {};
  return {
    enter: () => {
      covered = Object.fromEntries(
        Object.keys(parts).flatMap((name) => {
          const own = Object.getOwnPropertyDescriptor(globalThis, name);
          return own === undefined ? [] : [[name, own]];
        }),
      );
      Object.defineProperties(globalThis, parts);
    },
    leave: () => {
      for (const name of Object.keys(parts)) Reflect.deleteProperty(globalThis, name);
      Object.defineProperties(globalThis, covered);
    },
    reset: (path) => {
      window.localStorage.clear();
      window.sessionStorage.clear();
      window.document.head.innerHTML = "";
      window.document.body.innerHTML = "";
      const { documentElement } = window.document;
      for (const { name } of [...documentElement.attributes]) documentElement.removeAttribute(name);
      documentElement.lang = "en";
      window.happyDOM.setURL(`${origin}${path}`);
      window.history.replaceState(null, "");
    },
  };
};

const origin = "http://localhost";

/** What Bun has as well, and the page needs as the window's own: its document takes no other events, forms or files. */
const replaced = new Set([
  "Event",
  "EventTarget",
  "CustomEvent",
  "MessageEvent",
  "ErrorEvent",
  "FormData",
  "File",
  "Blob",
  "navigator",
  "addEventListener",
  "removeEventListener",
  "dispatchEvent",
]);

const browserParts = (window: Window): PropertyDescriptorMap => {
  const names = new Set<string>();
  for (let holder: object = window; holder !== Object.prototype; holder = Object.getPrototypeOf(holder))
    for (const name of Object.getOwnPropertyNames(holder)) names.add(name);
  const wanted = [...names].filter(
    (name) => name !== "constructor" && (replaced.has(name) || !(name in globalThis)),
  );
  return Object.fromEntries([
    ...wanted.map((name) => [name, partOf(window, name)]),
    ["window", { value: window, configurable: true, writable: true }],
  ]);
};

const partOf = (window: Window, name: string): PropertyDescriptor => ({
  configurable: true,
  get: () => {
    const part: unknown = Reflect.get(window, name);
    return typeof part === "function" && !/^[A-Z]/.test(name) ? part.bind(window) : part;
  },
  // Code under test never replaces these, but spies do.
  set: (value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true }),
});

/**
 * The router hears of its own steps through events that it makes `history` send when it is loaded. It may have been loaded
 * without a window, so the window does it, and says so by the router's own mark.
 */
const announceSteps = (window: Window): void => {
  for (const type of ["pushState", "replaceState"] as const) {
    const step = window.history[type].bind(window.history);
    window.history[type] = (...words) => {
      step(...words);
      window.dispatchEvent(new window.Event(type));
    };
  }
  Object.defineProperty(window, Symbol.for("wouter_v3"), { value: true });
};

/** Focus and Escape of modal dialogs, popovers and newer elements, as browsers have them. */
const addMissingParts = (window: Window): void => {
  const { prototype } = window.HTMLDialogElement;
  const { showModal, close } = prototype;
  const openers = new Map<object, unknown>();
  prototype.showModal = function () {
    openers.set(this, window.document.activeElement);
    showModal.call(this);
    const first = this.querySelector(
      ":is(button, a[href], input, select, textarea):not([hidden], [type=hidden])",
    );
    if (first instanceof window.HTMLElement) first.focus();
  };
  prototype.close = function (value) {
    close.call(this, value);
    const opener = openers.get(this);
    openers.delete(this);
    if (opener instanceof window.HTMLElement) opener.focus();
  };
  window.addEventListener("keydown", (event) => {
    if (!(event instanceof window.KeyboardEvent) || event.key !== "Escape" || event.defaultPrevented) return;
    const top = [...openers.keys()].at(-1);
    if (!(top instanceof window.HTMLDialogElement)) return;
    if (top.dispatchEvent(new window.Event("cancel", { cancelable: true }))) top.close();
  });
  Object.assign(window.HTMLElement.prototype, { showPopover: () => {} });
  // React complains of elements that the window does not know, such as `search`.
  Object.defineProperty(window.HTMLUnknownElement.prototype, Symbol.toStringTag, { value: "HTMLElement" });
};
