import { type ComponentType, useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";

/** Places in the interface that a plugin may fill. `licensing` is the indicator in the footer. */
export type SlotName = "licensing";

type Slots = Record<SlotName, ComponentType | null>;

const store = createStore<Slots>(() => ({ licensing: null }));

/**
 * Puts a component into a slot, in place of what was there; returns how to take it out again. What a component needs it
 * loads itself, so an installation without the plugin asks for nothing.
 */
export const fillSlot = (name: SlotName, component: ComponentType): (() => void) => {
  store.setState({ [name]: component });
  return () => {
    // A later owner of the slot stays.
    if (store.getState()[name] === component) store.setState({ [name]: null });
  };
};

/** What is in a slot at this moment, or `null`. */
export const slotContent = (name: SlotName): ComponentType | null => store.getState()[name];

/** Calls `listener` after each change of any slot; returns how to stop. */
export const onSlotChange = (listener: () => void): (() => void) => store.subscribe(listener);

const isBrowser = typeof document !== "undefined";

/** What is in a slot, kept up to date. Markup made ahead of time is taken over with its slots empty. */
export const useSlot = (name: SlotName): ComponentType | null => {
  const now = () => slotContent(name);
  return useSyncExternalStore(onSlotChange, now, isBrowser ? () => null : now);
};
