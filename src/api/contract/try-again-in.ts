/** How long to wait, as a sentence in whole minutes; `waitS` is in seconds. */
export const tryAgainIn = (waitS: number): string => {
  const minutes = Math.ceil(waitS / 60);
  return `Please try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
};
