/** Words of the documentation around its chapters. */
export const docsTexts = {
  name: "Documentation",
  lead: "How to run, use, extend and script this installation. The server itself provides these pages: they describe the version that runs here and work offline.",
  chapters: "Chapters",
  contents: "On this page",
  previous: "Previous",
  next: "Next",
  pager: "Other chapters",
  table: "Table",
  search: "Search the documentation",
  searchHint: "Search",
  results: "Results",
  reading: "Loading the index…",
  failed: "The search index could not be loaded. Check your connection and try again.",
  none: "No results. Try fewer or different words.",
  found: (count: number, shown: number) => {
    if (count === 1) return "1 result";
    return count > shown ? `${count} results, the best ${shown} shown` : `${count} results`;
  },
  copy: "Copy",
  copied: "Copied",
  notCopied: "Copying failed",
} as const;
