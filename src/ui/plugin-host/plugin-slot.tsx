import { Link } from "wouter";
import { type SlotName, useSlot } from "./slots.ts";

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
