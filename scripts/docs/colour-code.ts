import { escaped } from "../ui/escaped.ts";

/**
 * Markup of a piece of code with its comments (`c`), strings (`s`) and words of the language (`k`) marked by class. Of
 * languages that are not known only the text is left.
 */
export const colourCode = (code: string, language: string): string => {
  const pattern = patterns[language];
  if (pattern === undefined) return escaped(code);
  let html = "";
  let at = 0;
  for (const match of code.matchAll(pattern)) {
    const [kind, text] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    if (kind === undefined || text === undefined) continue;
    html += `${escaped(code.slice(at, match.index))}<i class="${kind}">${escaped(text)}</i>`;
    at = match.index + text.length;
  }
  return html + escaped(code.slice(at));
};

const words =
  "as|async|await|const|default|else|export|extends|false|for|from|function|if|import|in|interface|let|new|null|of|readonly|return|true|type|typeof|undefined|void";

const script = new RegExp(
  `(?<c>\\/\\*[\\s\\S]*?\\*\\/|\\/\\/[^\\n]*)|(?<s>"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`)|\\b(?<k>${words})\\b`,
  "g",
);

const shell = /(?<=^|\s)(?<c>#[^\n]*)|(?<s>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/gm;

const patterns: Readonly<Record<string, RegExp | undefined>> = {
  ts: script,
  tsx: script,
  js: script,
  json: script,
  sh: shell,
  yaml: shell,
  ini: shell,
  cron: shell,
};
