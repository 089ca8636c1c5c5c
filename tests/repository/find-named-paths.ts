/** A path that a document names, as it stands there. */
export type NamedPath = { document: string; path: string };

/**
 * The paths in a document's backticks: what begins with one of the project's top-level names and has no blank in it.
 * Commands, routes and package names are not paths.
 */
export const findNamedPaths = (
  document: string,
  markdown: string,
  topLevel: readonly string[],
): NamedPath[] =>
  [...markdown.matchAll(/`([^`\s]+)`/g)]
    .map((match) => match[1] ?? "")
    .filter((word) => topLevel.some((name) => word === name || word.startsWith(`${name}/`)))
    .map((path) => ({ document, path }));

/** The TypeScript files in a document's backticks, with or without folders: `{a,b}.test.ts` is two. */
export const findNamedFiles = (document: string, markdown: string): NamedPath[] =>
  [...markdown.matchAll(/`([^`\s]+\.tsx?)`/g)]
    .flatMap((match) => withoutBraces(match[1] ?? ""))
    .map((path) => ({ document, path }));

const withoutBraces = (path: string): string[] => {
  const [whole = "", choices = ""] = path.match(/\{([^{}]+)\}/) ?? [];
  if (whole === "") return [path];
  return choices.split(",").flatMap((choice) => withoutBraces(path.replace(whole, choice)));
};

/** Whether one of the files has that name, or a path that ends with it. */
export const isAmong = (files: readonly string[], { path }: NamedPath): boolean => {
  const glob = new Bun.Glob(`**/${asGlob(path)}`);
  return files.some((file) => glob.match(file));
};

/** The paths that a document links to, apart from addresses and anchors, relative to the document's folder. */
export const findLinkedPaths = (document: string, markdown: string): NamedPath[] =>
  [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => (match[1] ?? "").replace(/#.*$/, ""))
    .filter((target) => target !== "" && !/^[a-z]+:/.test(target))
    .map((path) => ({ document, path }));

/** A named path as a glob: `<name>` stands for any one name. */
export const asGlob = (path: string): string => path.replace(/<[^>]+>/g, "*").replace(/\/$/, "");
