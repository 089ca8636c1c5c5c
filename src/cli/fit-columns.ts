/** What a column of a table asks for: its natural width, the least that is of use, and whether it can be left out. */
export type ColumnNeeds = { natural: number; least: number; isSpare: boolean };

const gap = 2;

/** How wide a line of these columns is, those of width 0 left out. */
export const lineWidth = (widths: readonly number[]): number => {
  const shown = widths.filter((width) => width > 0);
  return sum(shown) + gap * Math.max(0, shown.length - 1);
};

/**
 * The width of each column so that a line fits into `room`: the widest give way first, none below its least, and where
 * that is not enough the last spare one is left out (width 0), then the one before. What cannot fit even so is too wide.
 */
export const fitColumns = (columns: readonly ColumnNeeds[], room: number): number[] => {
  const least = columns.map((column) => Math.min(column.natural, column.least));
  const isShown = columns.map(() => true);
  const shown = (widths: readonly number[]) => widths.filter((_, at) => isShown[at]);
  const lineOf = (widths: readonly number[]) => sum(shown(widths)) + gap * (shown(widths).length - 1);
  for (let at = columns.length - 1; at >= 0 && lineOf(least) > room; at -= 1)
    if (columns[at]?.isSpare) isShown[at] = false;
  const natural = columns.map((column) => column.natural);
  const capped = (most: number) =>
    natural.map((width, at) => Math.max(Math.min(width, most), least[at] ?? 0));
  let most = Math.max(...natural);
  while (most > 0 && lineOf(capped(most)) > room) most -= 1;
  return capped(most).map((width, at) => (isShown[at] ? width : 0));
};

/** A text that takes at most `width` columns of a terminal; an ellipsis stands for what was cut off. */
export const shorten = (text: string, width: number): string => {
  if (Bun.stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Bun.stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
};

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0);
