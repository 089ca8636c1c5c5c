/** Resolves in the next turn of the event loop: what has come in meanwhile, from the database or from visitors, is seen to first. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
