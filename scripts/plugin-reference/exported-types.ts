/** What a file of types and functions exports, as Markdown: a heading, the docstring, the declaration of each. */
export const exportedTypes = (source: string): string => {
  const pattern =
    /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^export (type|const) (\w+)([\s\S]*?);\n(?=\n|$|export |type |const |\/\*\*)/gm;
  return [...source.matchAll(pattern)]
    .map(([, comment = "", kind = "", name = "", rest = ""]) => {
      const about = comment
        .replace(/^\s*\* ?/gm, "")
        .trim()
        .replace(/\{@link ([\w.]+)\}/g, "`$1`");
      const declared = kind === "const" ? signatureOf(name, rest) : `type ${name}${rest};`;
      return [`### ${name}`, about, `\`\`\`ts\n${declared}\n\`\`\``].filter(Boolean).join("\n\n");
    })
    .join("\n\n");
};

/** A function without its body. */
const signatureOf = (name: string, rest: string): string => {
  const end = rest.indexOf("=> {");
  return `const ${name}${end === -1 ? rest : `${rest.slice(0, end).trimEnd()} => …`};`;
};
