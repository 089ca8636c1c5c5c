import type { Pattern } from "../engine-types.ts";
import { wordSet } from "../words.ts";
import { isSubcommand, kindOfCommand, proseWords, runnerWords, type WordKind } from "./command-words.ts";

/** Commands behind a separator, in a substitution or at the beginning of a value, told by their words and arguments. */
export const callPatterns: readonly Pattern[] = [
  {
    id: 3001,
    title: "Shell command behind a separator or in a substitution",
    category: "command-injection",
    paranoia: 1,
    severity: "critical",
    view: "shell",
    needs: [";", "|", "&", "\n", "`", "("],
    find: (text) => (/[;|&\n`(]/.test(text) ? pieceOf(text, isInjected) : null),
  },
  {
    id: 3002,
    title: "Value that is a shell command with arguments",
    category: "command-injection",
    paranoia: 1,
    severity: "critical",
    places: ["query", "body", "cookie", "header"],
    view: "shell",
    find: (text, subject) => {
      if (text.length > 400) return null;
      const isEscaped = /^\s{0,8}["']?\\[a-z]/.test(subject.view("plain"));
      const call = callAtStart(text);
      return call !== null && isWholeValue(call, text, isEscaped) ? text.slice(call.at, call.end) : null;
    },
  },
];

const pieceOf = (text: string, isMeant: (call: Call) => boolean): string | null => {
  const call = findCall(text, isMeant);
  return call === null ? null : text.slice(call.at, call.end);
};

/** Commands that do something without arguments and are no words of a list such as `name;date;file`. */
const aloneAfterSeparator = wordSet(
  "set dir ver vol reboot shutdown history sh bash zsh ksh dash ash csh tcsh cmd powershell pwsh",
);

const isInjected = (call: Call): boolean => {
  if (call.opener === "start") return false;
  if (call.opener === "line" && !call.isValue) return false;
  const isClose = call.isGlued || call.isValue;
  switch (judgeRest(call)) {
    case "argument":
      if (call.kind === "unknown" && !isClose) return false;
      return call.opener !== "inner" || !isQuoteOfProse(call);
    case "nothing":
      if (call.opener === "inner") return call.kind !== "plain" && !isQuoteOfProse(call);
      if (call.opener === "line") return call.kind === "telling";
      // A row of a table begins with a bar and has blanks around its words.
      if (call.isFirst && call.mark === "|" && !call.isGlued && call.rest !== "") return false;
      if (call.kind === "telling" || call.isFirst) return isClose;
      return isClose && aloneAfterSeparator.has(call.word);
    case "words":
      if (call.opener === "line") return false;
      if (call.opener === "inner") return !isQuoteOfProse(call);
      if (call.kind === "plain") return call.isValue && (call.isGlued || call.isFirst);
      return call.kind !== "shell" && isClose;
    default:
      return false;
  }
};

/** Back-quotes within a sentence set off a name: that is how people write about commands. */
const isQuoteOfProse = (call: Call): boolean => call.mark === "`" && !call.isValue && call.isSpacedBefore;

/** Words that nobody writes but to run them, with a few others behind them. */
const isToolsAlone = ({ kind, word, rest }: Call): boolean =>
  kind === "telling" && word.length > 3 && rest.length < 80;

/** A backslash before a word keeps shells from taking it for an alias: `\ls`. */
const isWholeValue = (call: Call, text: string, isEscaped: boolean): boolean => {
  if (text.trimEnd().includes("\n")) return false;
  const verdict = judgeRest(call);
  if (isEscaped) return verdict === "nothing" || verdict === "argument";
  if (runner.test(text) && !text.trimStart().startsWith(call.word))
    return verdict !== "sentence" && verdict !== "other";
  if (verdict === "argument" && call.word === "sleep" && /^\s+\d/.test(call.rest)) return true;
  if (verdict === "nothing") return recognisable.has(call.word);
  if (verdict === "argument" && call.kind !== "plain" && !/^ping/.test(call.word) && named.test(call.rest))
    return true;
  if (verdict === "argument" && isToolsAlone(call) && isSubcommand(call.word, call.rest)) return true;
  if (verdict === "argument")
    return strong.test(call.rest) && (call.kind !== "plain" || !/^\s+-\d/.test(call.rest));
  if (verdict === "words" && port.test(call.rest)) return connector.test(call.word);
  return verdict === "words" && isToolsAlone(call);
};

/** What starts another command and is nothing else. */
const runner = /^\s{0,8}(?:sudo|nohup|doas|busybox|xargs|stdbuf|setsid|pkexec)\s/;
const recognisable = wordSet(
  "whoami ifconfig ipconfig netstat printenv systeminfo tasklist lsmod lscpu lsblk lsusb",
);
const strong =
  /^\/[a-z?]|^\s*\d?[<>]|\s(?:--?[a-z]|\/[a-z]|\/\s*$|\.{1,2}\/|~\/|\$[a-z({]|[a-z]:\\|https?:\/\/)/;
/** Tools of operators: nobody calls anything else so. */
const connector = /^(?:nc|ncat|netcat|telnet|socat)$/;
const port = /^\s+[\w.-]{1,64}\s+\d{2,5}\s*$/;

/** A word where a shell would take it for a command. */
type Call = {
  /** Where its separator stands. */
  at: number;
  /** Where its arguments end, at most 160 characters behind the word. */
  end: number;
  /** `start`: the text begins with it; `line`: a line does; `inner`: within `$(…)` or back-quotes. */
  opener: "start" | "line" | "separator" | "inner";
  /** The separator; empty at the start. */
  mark: string;
  /** Before the separator stands a blank, a bracket or nothing. */
  isSpacedBefore: boolean;
  /** Nothing stands between the separator and the word. */
  isGlued: boolean;
  /** What stands before the separator is a single word at most: a value, not a sentence. */
  isValue: boolean;
  /** Nothing but blanks and separators stands before it. */
  isFirst: boolean;
  /** `unknown`: a word that is no command that is known. */
  kind: WordKind | "unknown";
  word: string;
  /** What follows the word up to the next separator, with the blank before it. */
  rest: string;
};

/** A row of separators counts as one, and so does one of backticks. Where no command can begin there is nothing to read. */
const openers = /(?:\$\(|[<>]\(|`(?!`)|[;|&\n](?![;|&\n]))(?![$`)<>"'%#@?*,:=^[\]+-])/g;
const lead = /[\s;|&({!]{0,16}(?:[a-z_]\w{0,16}=[^\s;|&]{0,32}\s+)?/y;
const wordForm =
  /(?:(?:\.{0,2}|~)\/(?:[\w.-]{1,24}\/){0,6}|[a-z]:\\(?:[\w. -]{1,24}\\){0,6})?([a-z0-9][\w.+-]{0,24})/y;

/**
 * The first command that a shell would see in a text of the shell view and that is meant, `null` without one. Takes time by
 * the text's length: what it looks at behind a separator is bounded.
 */
const findCall = (text: string, isMeant: (call: Call) => boolean): Call | null => {
  const first = callAtStart(text);
  if (first !== null && isMeant(first)) return first;
  const start = text.length - text.trimStart().length;
  for (const match of text.matchAll(openers)) {
    const mark = match[0];
    const found = callAt(text, { at: match.index, mark, opener: openerOf(mark) });
    if (found === null) continue;
    const before = match.index - start > 80 ? null : text.slice(start, match.index).replace(/[\s;|&]+$/, "");
    const call = { ...found, isValue: before !== null && !/\s/.test(before), isFirst: before === "" };
    if (isMeant(call)) return call;
  }
  return null;
};

/** The command that a text of the shell view begins with, `null` when it begins with none that is known. */
const callAtStart = (text: string): Call | null => {
  const call = callAt(text, { at: 0, mark: "", opener: "start" });
  return call === null ? null : { ...call, isValue: true, isFirst: true };
};

const openerOf = (sign: string): Call["opener"] => {
  if (sign === "\n") return "line";
  return sign === "`" || sign.endsWith("(") ? "inner" : "separator";
};

type Opening = Pick<Call, "at" | "mark" | "opener">;

const callAt = (text: string, opening: Opening): Omit<Call, "isValue" | "isFirst"> | null => {
  const from = opening.at + opening.mark.length;
  lead.lastIndex = from;
  const skipped = lead.exec(text)?.[0] ?? "";
  let place = from + skipped.length;
  for (let runs = 0; runs < 4; runs += 1) {
    wordForm.lastIndex = place;
    const match = wordForm.exec(text);
    const word = match?.[1]?.replace(/\.exe$|[.]+$/, "") ?? "";
    const kind =
      kindOfCommand(word) ?? (/[\d.]$/.test(word) ? kindOfCommand(word.replace(/[\d.]+$/, "")) : undefined);
    if (match === null || (kind === undefined && opening.mark === "")) return null;
    const end = place + match[0].length;
    // A word that is unknown is a command by its arguments alone.
    if (kind === undefined && !runnerWords.has(word) && !startsAt(unknownArgument, text, end)) return null;
    const rest = restAt(text, end);
    const inner = runnerWords.has(word) ? /^\s+(?:-[\w-]+\s+|\d+\s+){0,3}(?=[a-z/.])/.exec(rest) : null;
    if (inner !== null && isCommandAt(text, end + inner[0].length)) {
      place = end + inner[0].length;
      continue;
    }
    const isSpacedBefore = opening.at === 0 || /[\s(["']/.test(text[opening.at - 1] ?? "");
    return {
      ...opening,
      isSpacedBefore,
      end: end + rest.length,
      isGlued: !/\s/.test(skipped),
      kind: kind ?? "unknown",
      word,
      rest,
    };
  }
  return null;
};

const isCommandAt = (text: string, at: number): boolean => {
  wordForm.lastIndex = at;
  const word = wordForm.exec(text)?.[1] ?? "";
  return kindOfCommand(word) !== undefined && !proseWords.has(word);
};

const restAt = (text: string, from: number): string => {
  const piece = text.slice(from, from + 160);
  const end = piece.search(/[;|&\n`)}]/);
  return end === -1 ? piece : piece.slice(0, end);
};

/** Whether what follows a command's word is nothing, an argument that no sentence has, words, or no continuation of a command. */
const judgeRest = ({ rest, kind, word }: Call): "nothing" | "argument" | "words" | "sentence" | "other" => {
  if (/^\s*(?:#.*)?$/.test(rest)) return kind === "unknown" ? "other" : "nothing";
  if (kind === "unknown") return startsAt(unknownArgument, rest, 0) ? "argument" : "other";
  if (/^\s*(?:[<>]{1,3}|\d>)\s{0,4}(?!\/?[a-z]{1,12}>|3(?:\W|$))[\w/&$.(~-]/.test(rest)) return "argument";
  if (!/^\s|^\/[a-z?]{1,12}\b/.test(rest)) return "other";
  if (word === "sleep" && /^\s+\d{1,4}(?:\.\d{1,3})?[smh]?\s*$/.test(rest)) return "argument";
  if (argument.test(rest) || isSubcommand(word, rest)) return "argument";
  if (kind === "plain" ? readers.has(word) && file.test(rest) : named.test(rest)) return "argument";
  const words = rest.trim().split(/\s+/, 6);
  if (words.slice(0, 4).some((word) => proseWords.has(word.replace(/[.,!?:]+$/, "")))) return "sentence";
  if (kind !== "plain" && later.test(rest)) return "argument";
  return /[a-z]{2}[.!?](?:\s|$)|,\s/.test(rest) ? "sentence" : "words";
};

/** What makes a command of any word. */
const unknownArgument = /[^\S\n]+(?:--?[a-z]|\/(?:etc|bin|usr|var|tmp|proc|root|dev)\/)/y;

const startsAt = (sticky: RegExp, text: string, at: number): boolean => {
  sticky.lastIndex = at;
  return sticky.test(text);
};

/** A flag, a path, a variable, an address: what hardly any sentence goes on with. */
const argument =
  /^\s+(?:--?[a-z0-9?]|[a-z]:\s*$|\/(?:etc|bin|usr|var|tmp|home|proc|root|dev|opt|sys|lib|boot|mnt|srv|windows)\b|\/[\w.?*-]{1,32}\/|\/[a-z?](?:\s|$)|\/\s*$|\.{1,2}\/|~\/|\$[({a-z_@?]|%[a-z]{1,24}%|[a-z]:\\|\\\\\w|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\*(?:\s|$|\.)|\+[%x]|\{\}|aux\b|\d{3,4}\s+[\w./])/;
/** Words of English that show or remove files. */
const readers = wordSet("cat type more less head tail del copy sort cut");
const file =
  /^\s+[\w.-]{1,48}\.(?:php|txt|config?|cfg|ini|log|sh|py|js|json|xml|html?|aspx?|jsp|sql|bak|env|ya?ml|key|pem|db|csv|bat|exe)\s*(?:$|[<>])/;
/** Arguments that begin with a file or host by its name, or with an address. */
const named =
  /^\s+(?:[\w@-]{1,48}(?:\.[\w-]{1,32}){1,5}(?:[:/]\S{0,64})?\s*(?:$|\s[-<>\d/])|(?:https?|ftp):\/\/|\w{1,16}@[\w.-]|[a-z]{1,10}\s+-[a-z-]|\/[a-z]{2,12}(?:[:\s]|$))/;
const later =
  /\s(?:--?[a-z]|\/(?:etc|bin|usr|var|tmp|home|proc|root|dev)\/|(?:https?|ftp):\/\/\S)|[<>]\s{0,2}(?!\/?[a-z]{1,12}>|3(?:\W|$))[/&\w]/;
