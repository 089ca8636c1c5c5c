/**
 * Whether somebody is in the middle of something in a table, so that its rows had better stay where they are: pointing at
 * it, having the focus on or marked text in a row, scrolled past its beginning, or looking at a dialog above it.
 */
export const isReading = (table: HTMLTableElement | null): boolean => {
  if (document.querySelector("dialog:modal") !== null) return true;
  const region = table?.parentElement ?? null;
  if (region === null) return false;
  const marked = getSelection();
  return (
    region.matches(":hover") ||
    (document.activeElement !== region && region.contains(document.activeElement)) ||
    (marked?.isCollapsed === false && region.contains(marked.anchorNode)) ||
    region.getBoundingClientRect().top < 0
  );
};
