import { type ComponentType, useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";

/** Components that plugins lay over the admin area, by plugin. */
export type Overlays = ReadonlyMap<string, ComponentType>;

const none: Overlays = new Map();
const store = createStore<{ overlays: Overlays }>(() => ({ overlays: none }));

/**
 * Lays a plugin's component over the pages, in place of the one it had. Whatever is no component is ignored, with a warning.
 * It is on show at once: whoever shows overlays hears of it.
 */
export const registerOverlay = (plugin: string, component: ComponentType | null | undefined): void => {
  if (typeof component !== "function" && (typeof component !== "object" || component === null)) {
    console.warn(`the overlay of ${plugin} was ignored: it has no component`);
    return;
  }
  store.setState(({ overlays }) => ({ overlays: new Map(overlays).set(plugin, component) }));
};

/** Takes all overlays away. */
export const clearOverlays = (): void => store.setState({ overlays: none });

/** The overlays at this moment. */
export const currentOverlays = (): Overlays => store.getState().overlays;

/** Calls `listener` after each change; returns how to stop. */
export const onOverlayChange = (listener: () => void): (() => void) => store.subscribe(listener);

/** {@link currentOverlays}, for components. */
export const useOverlays = (): Overlays => useSyncExternalStore(onOverlayChange, currentOverlays, () => none);
