import { useSyncExternalStore } from "react";
import { Link } from "wouter";
import { createStore } from "zustand/vanilla";
import type { SlotContent } from "#plugins/sdk/frontend-types.ts";

type PluginSlotProps = { name: SlotName; className: string };

/** Shows what a plugin put into a slot, and nothing at all while none did. */
export const PluginSlot = ({ name, className }: PluginSlotProps) => {
  const content = useSlot(name);
  if (content === null) return null;
  const { text, href, title } = content;
  if (href === undefined) return <span {...{ className, title }}>{text}</span>;
  // What leads elsewhere is none of the router's.
  if (!href.startsWith("/")) return <a {...{ href, className, title }}>{text}</a>;
  return <Link {...{ href, className, title }}>{text}</Link>;
};

/** Places in the interface that a plugin may fill. `licensing` is the indicator in the footer. */
type SlotName = "licensing";

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
const useSlot = (name: SlotName): SlotContent | null => {
  const now = () => slotContent(name);
  return useSyncExternalStore(onSlotChange, now, typeof document === "undefined" ? now : () => null);
};
