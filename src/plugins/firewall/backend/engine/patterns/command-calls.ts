import type { Pattern } from "../engine-types.ts";
import { isSubcommand } from "./command-words.ts";
import { type Call, callAtStart, findCall, judgeRest, named } from "./shell-reader.ts";

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
const aloneAfterSeparator = new Set(
  "set dir ver vol reboot shutdown history sh bash zsh ksh dash ash csh tcsh cmd powershell pwsh".split(" "),
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
const recognisable = new Set([
  "whoami",
  "ifconfig",
  "ipconfig",
  "netstat",
  "printenv",
  "systeminfo",
  "tasklist",
  "lsmod",
  "lscpu",
  "lsblk",
  "lsusb",
]);
const strong =
  /^\/[a-z?]|^\s*\d?[<>]|\s(?:--?[a-z]|\/[a-z]|\/\s*$|\.{1,2}\/|~\/|\$[a-z({]|[a-z]:\\|https?:\/\/)/;
/** Tools of operators: nobody calls anything else so. */
const connector = /^(?:nc|ncat|netcat|telnet|socat)$/;
const port = /^\s+[\w.-]{1,64}\s+\d{2,5}\s*$/;
