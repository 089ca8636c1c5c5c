import { Suspense } from "react";
import { PluginBoundary } from "./plugin-boundary.tsx";
import { type SlotName, useSlot } from "./slots.ts";

/** Shows what a plugin put into a slot, and nothing at all while none did, while it loads, or when it fails. */
export const PluginSlot = ({ name }: { name: SlotName }) => {
  const Content = useSlot(name);
  if (Content === null) return null;
  return (
    <PluginBoundary>
      <Suspense fallback={null}>
        <Content />
      </Suspense>
    </PluginBoundary>
  );
};
