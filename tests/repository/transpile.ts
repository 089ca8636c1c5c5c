import type { SourceFile } from "./find-import-violations.ts";

const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

const isCode = ({ path }: SourceFile): boolean => /\.tsx?$/.test(path) && !path.endsWith(".d.ts");

const transpilerOf = ({ path }: SourceFile) => transpilers[path.endsWith("x") ? "tsx" : "ts"];

/** The transpiler refuses the line that names an interpreter. */
const withoutInterpreter = ({ text }: SourceFile): string => text.replace(/^#!.*/, "");

/** What a file imports as a value, static or not. What it imports as a type is dropped, as the compiler does. */
export const valueImportsOf = (file: SourceFile): string[] => {
  if (!isCode(file)) return [];
  const found = transpilerOf(file).scanImports(withoutInterpreter(file));
  return found.map(({ path }) => path);
};

/** A file without comments and types; other files than code as they are. */
export const codeOf = (file: SourceFile): string =>
  isCode(file) ? transpilerOf(file).transformSync(withoutInterpreter(file)) : file.text;
