/** Words of the documentation around its chapters. */
export const docsTexts = {
  name: "Documentation",
  lead: "How to run, use, extend and script this installation. All of it comes from the server itself: it is about the version that runs here, and needs no internet.",
  home: "Atrium",
  chapters: "Chapters",
  contents: "On this page",
  previous: "Previous",
  next: "Next",
  pager: "Other chapters",
  table: "Table",
  search: "Search the documentation",
  searchHint: "Search",
  results: "Results",
  reading: "Reading the index…",
  failed: "The index could not be read. Check the connection, and try again.",
  none: "Nothing found. Try fewer or other words.",
  found: (count: number, shown: number) => {
    if (count === 1) return "1 place found";
    return count > shown ? `${count} places found, the best ${shown} shown` : `${count} places found`;
  },
  copy: "Copy",
  copied: "Copied",
  notCopied: "It could not be copied",
  licence: "Atrium, under the MIT licence",
} as const;
