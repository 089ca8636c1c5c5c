/**
 * Whether somebody is in the middle of something in a table, so that its rows had better stay where they are: pointing at
 * it, having the focus or marked text in it, scrolled down in it or past its beginning, or looking at a dialog above it.
 */
export const isReading = (table: HTMLTableElement | null): boolean => {
  if (document.querySelector("dialog:modal") !== null) return true;
  const region = table?.parentElement ?? null;
  if (region === null) return false;
  const marked = getSelection();
  return (
    region.matches(":hover") ||
    region.contains(document.activeElement) ||
    (marked?.isCollapsed === false && region.contains(marked.anchorNode)) ||
    region.scrollTop > 0 ||
    region.getBoundingClientRect().top < 0
  );
};
