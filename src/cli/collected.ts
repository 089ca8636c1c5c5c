/** Reads an option that may be repeated: what it was given so far, and this. */
export const collected = (value: string, before: string[] = []): string[] => [...before, value];
