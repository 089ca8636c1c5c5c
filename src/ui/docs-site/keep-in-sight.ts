/** Scrolls a list of links so far that one of them is seen. The list alone: `scrollIntoView` would move the page, too. */
export const keepInSight = (link: HTMLElement | null | undefined): void => {
  const list = link?.closest("nav");
  if (!link || !list || list.scrollHeight <= list.clientHeight) return;
  list.scrollTop = link.offsetTop - list.clientHeight / 2;
};
