/** What a feature and all of its things are called, `sales-teams`, and what one of them is called, `sales-team`. */
export type Names = { feature: string; one: string };

/** Whether a name consists of words of lowercase letters and digits with one hyphen between them. */
export const isHyphenated = (name: string): boolean => /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name);

/** One of what a plural names: `sales-team`. What is no plural has entries. */
export const singularOf = (name: string): string => {
  if (/(?:ss|us|is|news|series)$/.test(name) || !name.endsWith("s")) return `${name}-entry`;
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return name.replace(/(?:(?<=s|x|z|ch|sh)es|s)$/, "");
};

export const camelOf = (name: string): string =>
  name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const wordsOf = (name: string): string => name.replaceAll("-", " ");

type Style = (name: string) => string;
const styles = {
  code: camelOf,
  path: (name) => name,
  prose: wordsOf,
} as const satisfies Record<string, Style>;

/** A comment, a text in quotes or backticks, a line of text between tags, or code. */
const parts =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|"(?<text>(?:[^"\\\n]|\\.)*)"|`(?<template>(?:[^`\\]|\\.)*)`|(?<between>^[ \t]*[A-Z]\w*(?: \w+)+$)|(?<code>\w+|[\s\S])/gm;

/** A file of the sample with the names of another feature. */
export const renamed = (file: string, names: Names): string =>
  file.replace(parts, (whole: string, ...more) => {
    const { comment, text, template, between }: Record<string, string | undefined> = more.at(-1);
    if (comment !== undefined || between !== undefined) return inStyle(whole, names, "prose");
    if (text !== undefined) return `"${inStyle(text, names, styleOf(text))}"`;
    if (template === undefined) return inStyle(whole, names, "code");
    const pieces = template.split(/(\$\{[^}]*\})/);
    const style = (piece: string) => (piece.startsWith("${") ? "code" : "prose");
    return `\`${pieces.map((piece) => inStyle(piece, names, style(piece))).join("")}\``;
  });

/** The name of one of its files. */
export const renamedPath = (path: string, names: Names): string => inStyle(path, names, "path");

const styleOf = (text: string): keyof typeof styles => {
  if (/\.tsx?$/.test(text)) return "path";
  return /^[a-z]\w*$/.test(text) ? "code" : "prose";
};

const inStyle = (text: string, { feature, one }: Names, style: keyof typeof styles): string => {
  const write: Style = styles[style];
  const article = style === "prose" && /^[aeiou]/.test(one) ? "$1n " : "$1 ";
  return text
    .replace(/\b([Aa]) (?=note\b)/g, article)
    .replace(/sample-notes|sampleNotes|sample_notes|Sample notes|[Nn]otes|[Nn]ote/g, (found) => {
      if (found === "sample-notes") return feature;
      if (found === "sampleNotes") return camelOf(feature);
      if (found === "sample_notes") return feature.replaceAll("-", "_");
      if (found === "Sample notes") return capital(wordsOf(feature));
      const name = write(found.endsWith("s") ? feature : one);
      return found.startsWith("N") ? capital(name) : name;
    });
};

/** A word that the code of the sample uses for something else than what its new name would say; `null` if there is none. */
export const collision = (files: readonly string[], names: Names): string | null => {
  const words = new Set<string>();
  for (const file of files)
    for (const { groups: { code = "" } = {} } of file.matchAll(parts))
      if (/^[a-z_]\w*$/i.test(code)) words.add(code);
  const [own, others] = [new Set<string>(), new Set<string>()];
  for (const word of words) (/note/i.test(word) ? own : others).add(word);
  const found = [...own].map((word) => inStyle(word, names, "code")).find((word) => others.has(word));
  return found ?? [names.one, names.feature].map(camelOf).find(isReserved) ?? null;
};

/** Whether no constant of JavaScript may be called so. */
export const isReserved = (name: string): boolean => {
  try {
    new Function(`"use strict"; const ${name} = 1;`);
    return false;
  } catch {
    return true;
  }
};
