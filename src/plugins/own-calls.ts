// Written by scripts/write-operations.ts from the contracts of own features, with who may call each: look at each change of it.
export const ownCalls = {} as const;
