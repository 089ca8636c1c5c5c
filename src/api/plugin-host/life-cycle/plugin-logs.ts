import type { Clock } from "#api/core/clock.ts";
import { type PluginLogLine, pluginLimits } from "#contract/plugins.ts";

type Level = PluginLogLine["level"];

/** The logs of plugins on this server: the newest lines of each. */
export type PluginLogs = {
  /** Adds a line of the plugin; beyond its limit per minute, only the number of dropped lines is logged. */
  write(name: string, level: Level, message: string): void;
  /** Adds a line about the plugin. */
  note(name: string, level: Level, message: string): void;
  /** Newest last, only those after `after`. */
  read(name: string, after: number): PluginLogLine[];
  forget(name: string): void;
};

type Book = { lines: PluginLogLine[]; minuteFromMs: number; written: number; leftOut: number };

const minuteMs = 60_000;

/** Creates empty logs; ids increase across all lines of a plugin. */
export const createPluginLogs = ({ clock, replica }: { clock: Clock; replica: string }): PluginLogs => {
  const books = new Map<string, Book>();
  // Continues after a plugin was removed, so that a reader misses nothing that comes next.
  let lastId = 0;

  const bookOf = (name: string): Book => {
    const book = books.get(name) ?? { lines: [], minuteFromMs: 0, written: 0, leftOut: 0 };
    books.set(name, book);
    return book;
  };

  const add = (book: Book, level: Level, message: string): void => {
    lastId += 1;
    const text = message.length > pluginLimits.logLineLength ? clipped(message) : message;
    book.lines.push({ id: lastId, at: clock.now().toISOString(), level, message: text, replica });
    if (book.lines.length > pluginLimits.logLinesKept * 1.2)
      book.lines.splice(0, book.lines.length - pluginLimits.logLinesKept);
  };

  const beginMinute = (book: Book): void => {
    const nowMs = clock.uptimeMs();
    if (nowMs - book.minuteFromMs < minuteMs) return;
    const { leftOut } = book;
    Object.assign(book, { minuteFromMs: nowMs, written: 0, leftOut: 0 });
    if (leftOut > 0)
      add(book, "warn", `${leftOut} lines were dropped because the limit per minute was reached`);
  };

  return {
    write: (name, level, message) => {
      const book = bookOf(name);
      beginMinute(book);
      if (book.written >= pluginLimits.logLinesAMinute) {
        book.leftOut += 1;
        return;
      }
      book.written += 1;
      add(book, level, message);
    },
    note: (name, level, message) => add(bookOf(name), level, message),
    read: (name, after) => {
      const lines = books.get(name)?.lines ?? [];
      return lines.slice(-pluginLimits.logLinesKept).filter(({ id }) => id > after);
    },
    forget: (name) => void books.delete(name),
  };
};

const clipped = (message: string): string => `${message.slice(0, pluginLimits.logLineLength - 1)}…`;
