/** Marks a request that a page makes automatically while no one is at it: it doesn't count as a use of the session. */
export const backgroundHeader = "x-atrium-background";
