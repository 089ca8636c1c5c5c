import type { Measured, SwitchName } from "../wire.ts";

/** What figures of a switch do not say by themselves, in a sentence or two. */
export const noteOn = (name: SwitchName, rows: readonly Measured[]): string => {
  const pages = rows.filter(({ path }) => !path.startsWith("/api/") && !path.startsWith("/swagger"));
  const fastest = (side: readonly Measured[]) =>
    side.length > 0 && side.every(({ off, on }) => Math.abs(off.ms - on.ms) < Math.max(0.3, off.ms * 0.15));
  switch (name) {
    case "compression":
      return "Pages and their scripts are compressed when Atrium is built: nothing changes for them. Answers of calls become smaller, and take the time that compressing them takes; those below 1 KB are left as they are. Bytes are those of head and body together.";
    case "cacheLifetimes":
      return "A visitor who comes back within the lifetime asks nothing at all: that is the side of the switch being on. A first visit stays as it is.";
    case "preloadHeaders":
      return "The server sends a longer head, nothing else. Scripts begin to load before the document is read, instead of when the browser is idle: whether that helps, visitors' figures before and after tell.";
    case "prefetch":
      return "Nothing changes in what the server answers: browsers fetch the code of the likely next page ahead. Visitors' figures before and after tell what it does.";
    case "responseCache":
      return fastest(pages)
        ? "Pages are in the server's memory already, and there is next to no difference for them. Calls that the application works out anew each time are where it counts. Heads are longer by `x-atrium-cache` and `age`."
        : "Answers come from memory instead of from the application. Heads are longer by `x-atrium-cache` and `age`.";
  }
};
