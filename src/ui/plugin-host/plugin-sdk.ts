import { notify as tell } from "#ui/lib/notices.ts";

export { registerOverlay } from "./registry.ts";
export { fillSlot } from "./slots.tsx";

/** Gives a plugin's definition back as it is: its place in a bundle where editors know what belongs into it. */
export const definePlugin = <T extends { name: string; version: string }>(definition: T): T => definition;

/** Shows a passing notice. */
export const notify = (message: string): void => tell({ tone: "info", message });
