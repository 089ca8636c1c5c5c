import { at, type PluginAnswer } from "#cli/client/read-answer.ts";
import type { CommandOutput, CommandValue } from "#contract/plugin-commands.ts";
import { formatBytes, formatCount, formatMinute } from "./format.ts";
import { printable, type Style } from "./output.ts";
import { formatFacts, formatTable } from "./table.ts";

/** What was answered: its data, and all of it. */
type Answer = Pick<PluginAnswer, "data" | "whole">;

/** An answer as its command declares that it is shown. */
export const outputText = (shown: CommandOutput, answer: Answer, style: Style): string => {
  if ("table" in shown) return tableText(shown.table, answer, style);
  if ("fields" in shown) return formatFacts(factsOf(shown.fields, answer), style);
  const { data } = answer;
  const text = typeof data === "string" ? data : found(answer, shown.message);
  return printable(typeof text === "string" && text !== "" ? text : "Done", "\n");
};

type Table = Extract<CommandOutput, { table: unknown }>["table"];

const tableText = ({ rows, columns, empty }: Table, answer: Answer, style: Style): string => {
  const listed = rows === null ? answer.data : found(answer, rows);
  const list: unknown[] = Array.isArray(listed) ? listed : [];
  if (list.length === 0 && style.isTerminal) return printable(empty ?? "Nothing to show");
  const shown = columns.map((column) => ({
    heading: printable(column.title.toUpperCase()),
    cell: (row: unknown) => valueText(at(row, column.field.split(".")), column.format),
  }));
  return formatTable(shown, list, style);
};

/** What is not there is left out. */
const factsOf = (fields: readonly CommandValue[], answer: Answer): [string, string][] =>
  fields.flatMap(({ title, field, format }): [string, string][] => {
    const value = found(answer, field);
    return value === undefined || value === null ? [] : [[printable(title), valueText(value, format)]];
  });

/** The value of a field in the data, or else beside it. */
const found = ({ data, whole }: Answer, field: string): unknown => {
  const names = field.split(".");
  return at(data, names) ?? at(whole, names);
};

const valueText = (value: unknown, format: CommandValue["format"]): string => {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return numberText(value, format);
  if (typeof value === "string") return format === "time" && isInstant(value) ? formatMinute(value) : value;
  return Array.isArray(value) && value.every((part) => typeof part !== "object")
    ? value.join(", ")
    : JSON.stringify(value);
};

const numberText = (value: number, format: CommandValue["format"]): string => {
  if (format === "bytes") return formatBytes(value);
  return format === "count" ? formatCount(value) : String(value);
};

const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text);
