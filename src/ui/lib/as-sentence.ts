/** A few words as a sentence: with a capital in front and a full stop behind, unless it ends with a mark already. */
export const asSentence = (words: string): string => {
  const capital = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
};
