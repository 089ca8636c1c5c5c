/** A complaint about a text that is no whole number within bounds; `null` for one that is. */
export const wholeNumberComplaint = (
  text: string,
  [least, most]: readonly [number, number],
): string | null => {
  const number = Number(text);
  const isFine = /^\d+$/.test(text.trim()) && number >= least && number <= most;
  const { format } = new Intl.NumberFormat();
  return isFine ? null : `Please give a whole number from ${format(least)} to ${format(most)}`;
};
