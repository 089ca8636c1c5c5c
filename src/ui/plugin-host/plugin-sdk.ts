/** Gives a plugin's definition back as it is: its place in a bundle where editors know what belongs into it. */
export const definePlugin = <T extends { name: string; version: string }>(definition: T): T => definition;
