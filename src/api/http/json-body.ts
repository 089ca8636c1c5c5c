import { AppError, validationError } from "#api/core/app-error.ts";
import { type FieldError, fieldTexts } from "#contract/errors.ts";

// Far above what any call needs. Explaining what is wrong with a body costs time that grows faster than these.
const deepestLevel = 32;
const mostCommas = 10_000;
const mostComplaints = 20;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body that can be read in one way only: UTF-8 throughout, no name twice in one object, neither deeper
 * than 32 levels nor longer than 10,000 items. A byte order mark is passed over. Throws `BAD_REQUEST`, and a 422 that
 * names each text which no database can hold: one with a NUL or with half a character.
 */
export const readJson = (bytes: Uint8Array): unknown => {
  const { value, members } = parse(bytes);
  const found: Findings = { members: 0, complaints: [] };
  inspect(value, "", found);
  // Of two members with one name, parsing keeps the last.
  if (found.members !== members) throw new AppError("BAD_REQUEST");
  if (found.complaints.length > 0) throw validationError(found.complaints);
  return value;
};

/** Whether a text holds what PostgreSQL cannot store: U+0000, or half of a surrogate pair. */
export const isUnstorable = (text: string): boolean => text.includes("\u0000") || !text.isWellFormed();

const parse = (bytes: Uint8Array): { value: unknown; members: number } => {
  try {
    const text = utf8.decode(bytes);
    const members = countMembers(text);
    return { value: JSON.parse(text), members };
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError("BAD_REQUEST", undefined, { cause });
  }
};

const code = (character: string): number => character.charCodeAt(0);
const marks = {
  quote: code('"'),
  escape: code("\\"),
  colon: code(":"),
  comma: code(","),
  openings: [code("{"), code("[")],
  closings: [code("}"), code("]")],
};

/** How many members all objects have together, as written. Throws for a text that is too deep or too long to parse. */
const countMembers = (text: string): number => {
  let [level, commas, colons] = [0, 0, 0];
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charCodeAt(at);
    if (mark === marks.quote) isInString = !isInString;
    else if (isInString) at += mark === marks.escape ? 1 : 0;
    else if (mark === marks.colon) colons += 1;
    else if (mark === marks.comma) commas += 1;
    else if (marks.openings.includes(mark)) level += 1;
    else if (marks.closings.includes(mark)) level -= 1;
    if (level > deepestLevel || commas > mostCommas) throw new AppError("BAD_REQUEST");
  }
  return colons;
};

type Findings = { members: number; complaints: FieldError[] };

const inspect = (value: unknown, path: string, found: Findings): void => {
  const complain = () => {
    if (found.complaints.length < mostComplaints)
      found.complaints.push({ path, message: fieldTexts.unprintable });
  };
  if (typeof value === "string" && isUnstorable(value)) complain();
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    if (!isList) found.members += 1;
    // Such a name could not be shown either: the complaint is about what holds it.
    if (isUnstorable(key)) complain();
    else inspect(item, path === "" ? key : `${path}.${key}`.slice(0, 100), found);
  }
};
