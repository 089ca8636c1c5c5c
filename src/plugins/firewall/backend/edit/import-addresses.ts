import type { OwnRanges } from "../change/lock-out.ts";
import { invalid, Refused } from "../change/refused.ts";
import { readRange } from "../rules/range.ts";
import type { Rules, StoredAddress } from "../rules/rules.ts";
import { texts } from "../texts.ts";
import { mostRules } from "../wire/rules.ts";
import type { AddressEntry, ImportData, ImportInput, ImportLine } from "../wire.ts";
import { type Making, newAddress } from "./rule-edits.ts";

/** What an import comes to: rules with what could be added, and what became of each line. */
export type Imported = { rules: Rules; report: Omit<ImportData, "revision"> };

type ImportWork = {
  input: Pick<ImportInput, "format" | "text">;
  making: Making;
  ownIn?: (rules: Rules) => OwnRanges | null;
};

const mostLines = 5_000;
const mostReported = 1_000;

/**
 * Adds the entries of a list, as {@link exportAddresses} writes it; what is in the list already is left as it is.
 * `ownIn` tells what would shut out whoever imports it: nothing can be imported then. Throws
 * {@link Refused} for a text that is no list at all.
 */
export const importAddresses = (rules: Rules, { input, making, ownIn }: ImportWork): Imported => {
  const rows = input.format === "csv" ? csvRows(input.text) : jsonRows(input.text);
  if (rows.length === 0) throw invalid({ text: texts.emptyImport });
  if (rows.length > mostLines) throw invalid({ text: texts.tooManyLines(mostLines) });
  const known = new Map(rules.addresses.map(({ range, kind }) => [range, kind]));
  const fresh = new Map<string, StoredAddress>();
  const read = rows.map(({ line, row }): ImportLine => {
    const said = (outcome: ImportLine["outcome"], range: string, message: string): ImportLine => ({
      ...{ line, outcome, message },
      range: range.slice(0, 60),
    });
    const written = row.address ?? "";
    const range = readRange(written)?.text;
    if (range !== undefined && known.has(range)) return said("known", range, texts.lineKnown);
    if (range !== undefined && fresh.has(range)) return said("known", range, texts.lineTwice);
    if (known.size + fresh.size >= mostRules.addresses)
      return said("refused", written, texts.tooManyAddresses(mostRules.addresses));
    try {
      const entry = readRow(row, making);
      fresh.set(entry.range, entry);
      return said("added", entry.range, texts.lineAdded);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return said("refused", written, error.errors.map(({ message }) => message).join("; "));
    }
  });
  const withFresh = (): Rules => ({ ...rules, addresses: [...rules.addresses, ...fresh.values()] });
  const own = ownIn?.(withFresh()) ?? null;
  const lines = read.map((line): ImportLine => {
    if (own === null || line.outcome !== "added" || !own.ranges.has(line.range)) return line;
    return { ...line, outcome: "refused", message: texts.lineOwn(own.why) };
  });
  const count = (outcome: ImportLine["outcome"]) => lines.filter((line) => line.outcome === outcome).length;
  const order = { refused: 0, known: 1, added: 2 };
  return {
    rules: withFresh(),
    report: {
      obstacle: own === null ? null : texts.importOwn(own.why),
      ...{ added: count("added"), known: count("known"), refused: count("refused") },
      lines: lines
        .toSorted((one, other) => order[one.outcome] - order[other.outcome] || one.line - other.line)
        .slice(0, mostReported),
    },
  };
};

type Row = { address?: string; kind?: string; note?: string; expiresAt?: string };

const readRow = (row: Row, making: Making): StoredAddress => {
  const kind = (["allow", "deny"] as const).find((word) => word === (row.kind ?? "deny").toLowerCase());
  if (kind === undefined) throw invalid({ kind: "Please use allow or deny" });
  const { note = "", expiresAt = "" } = row;
  return newAddress(
    { kind, address: row.address ?? "", note, expiresAt: expiresAt === "" ? null : expiresAt },
    making,
  );
};

const columns = ["address", "kind", "note", "expiresAt"] as const;

/** A header line tells the columns; without one they are address, kind, note, expiresAt. */
const csvRows = (text: string): { line: number; row: Row }[] => {
  const lines = readCsv(text);
  const [first] = lines;
  const names = first?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const hasHeader = names.includes("address") || names.includes("range");
  const placeOf = (name: (typeof columns)[number], index: number) => {
    if (!hasHeader) return index;
    const place = names.indexOf(name.toLowerCase());
    return place < 0 && name === "address" ? names.indexOf("range") : place;
  };
  const places = columns.map((name, index) => [name, placeOf(name, index)] as const);
  return lines.slice(hasHeader ? 1 : 0).map(({ line, cells }) => ({
    line,
    row: Object.fromEntries(
      places.flatMap(([name, place]) => (cells[place] === undefined ? [] : [[name, cells[place].trim()]])),
    ),
  }));
};

const jsonRows = (text: string): { line: number; row: Row }[] => {
  const list = parsedList(text);
  if (list === null) throw invalid({ text: texts.badJson });
  return list.map((value, index) => {
    if (typeof value === "string") return { line: index + 1, row: { address: value } };
    const fields: Record<string, unknown> = Object.fromEntries(Object.entries(Object(value)));
    const row = Object.fromEntries(
      [...columns, "range"].flatMap((name) =>
        typeof fields[name] === "string" ? [[name, fields[name]]] : [],
      ),
    );
    return { line: index + 1, row: { ...row, address: row.address ?? row.range ?? "" } };
  });
};

const parsedList = (text: string): unknown[] | null => {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

/** The lists as a file: CSV (RFC 4180) or JSON. Cells that a spreadsheet would run are neutralised. */
export const exportAddresses = (entries: readonly AddressEntry[], format: "csv" | "json"): string => {
  if (format === "json") return `${JSON.stringify(entries, null, 2)}\n`;
  const rows = entries.map((entry) => [
    ...[entry.range, entry.kind, entry.note, entry.expiresAt ?? ""],
    ...[entry.author, entry.createdAt, String(entry.hits)],
  ]);
  return writeCsv([[...columns, "author", "createdAt", "hits"], ...rows]);
};

/** One line of a CSV text, with the number of the text's line on which it begins. */
type CsvLine = { line: number; cells: string[] };

/** Reads CSV as RFC 4180 has it, with LF alone too; empty lines and those that begin with `#` are left out. */
export const readCsv = (text: string): CsvLine[] => {
  const lines: CsvLine[] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let line = 1;
  let began = 1;

  const endCell = (): void => {
    cells.push(unguarded(cell));
    cell = "";
  };
  const endLine = (): void => {
    endCell();
    const isEmpty = cells.length === 1 && cells[0]?.trim() === "";
    if (!isEmpty && !cells[0]?.startsWith("#")) lines.push({ line: began, cells });
    cells = [];
    began = line;
  };

  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at] ?? "";
    if (character === "\n") line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (body[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === ",") endCell();
    else if (character === "\n") endLine();
    else if (character !== "\r" || body[at + 1] !== "\n") cell += character;
  }
  if (cell !== "" || cells.length > 0) endLine();
  return lines;
};

// What spreadsheets run (OWASP, CSV injection).
const runs = /^[=+\-@\t\r]/;

/** Takes the apostrophe away that {@link writeCsv} puts before what a spreadsheet would run. */
const unguarded = (cell: string): string =>
  cell.startsWith("'") && runs.test(cell.slice(1)) ? cell.slice(1) : cell;

/** Writes CSV as RFC 4180 has it; what a spreadsheet would run gets an apostrophe before it. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(writeCell).join(",")}\r\n`).join("");

const writeCell = (text: string): string => {
  const safe = runs.test(text) ? `'${text}` : text;
  return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
