/** Makes something once, at a time of its choice. */
export type Hold = <T>(make: () => T) => () => T;

/** At once, whether or not it is ever wanted. */
export const heldAtOnce: Hold = (make) => {
  const made = make();
  return () => made;
};

/** When it is first wanted. */
export const heldWhenWanted: Hold = <T>(make: () => T) => {
  let held: { made: T } | null = null;
  return () => {
    held ??= { made: make() };
    return held.made;
  };
};
