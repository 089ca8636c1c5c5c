/**
 * Whether somebody is in the middle of something in a list, so that its rows had better stay where they are: pointing at
 * it, with the focus on or marked text in a row, scrolled past its beginning, or looking at a dialog above it.
 */
export const isReading = (region: HTMLElement | null): boolean => {
  if (document.querySelector("dialog:modal") !== null) return true;
  if (region === null) return false;
  const marked = getSelection();
  return (
    region.matches(":hover") ||
    region.querySelector(":focus") !== null ||
    (marked?.isCollapsed === false && region.contains(marked.anchorNode)) ||
    region.getBoundingClientRect().top < 0
  );
};
