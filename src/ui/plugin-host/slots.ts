import { useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";
import type { SlotContent } from "#plugins/sdk/frontend-types.ts";

/** Places in the interface that a plugin may fill. `licensing` is the indicator in the footer. */
export type SlotName = "licensing";

type Slots = Record<SlotName, SlotContent | null>;

const store = createStore<Slots>(() => ({ licensing: null }));

/** Puts a text into a slot, in place of what was there; returns how to take it out again. */
export const fillSlot = (name: SlotName, content: SlotContent): (() => void) => {
  store.setState({ [name]: content });
  return () => {
    // A later owner of the slot stays.
    if (store.getState()[name] === content) store.setState({ [name]: null });
  };
};

/** What is in a slot at this moment, or `null`. */
export const slotContent = (name: SlotName): SlotContent | null => store.getState()[name];

/** Calls `listener` after each change of any slot; returns how to stop. */
export const onSlotChange = (listener: () => void): (() => void) => store.subscribe(listener);

/** What is in a slot, kept up to date. Markup made ahead of time is taken over with its slots empty. */
export const useSlot = (name: SlotName): SlotContent | null => {
  const now = () => slotContent(name);
  return useSyncExternalStore(onSlotChange, now, typeof document === "undefined" ? now : () => null);
};
