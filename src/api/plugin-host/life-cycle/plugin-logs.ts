import type { Clock } from "#api/core/clock.ts";
import { type PluginLogLine, pluginLimits } from "#contract/plugins.ts";

type Level = PluginLogLine["level"];

/** What plugins log on this server: the newest lines of each. */
export type PluginLogs = {
  /** Adds a line of the plugin's own; of those above its limit a minute only the number is told. */
  write(name: string, level: Level, message: string): void;
  /** Adds a line about the plugin. */
  note(name: string, level: Level, message: string): void;
  /** Newest last, without those up to `after`. */
  read(name: string, after: number): PluginLogLine[];
  forget(name: string): void;
};

type Book = { lines: PluginLogLine[]; minuteFromMs: number; written: number; leftOut: number };

const minuteMs = 60_000;

/** Begins with empty logs; ids count up over all of a plugin's lines. */
export const createPluginLogs = ({ clock, replica }: { clock: Clock; replica: string }): PluginLogs => {
  const books = new Map<string, Book>();
  // Goes on where it was when a plugin is forgotten: whoever reads it meanwhile misses nothing of what comes next.
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
