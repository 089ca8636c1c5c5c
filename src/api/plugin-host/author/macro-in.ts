const scriptLoaders = ["tsx", "ts", "jsx", "js"] as const;

/** What the bundler is told of the code; it decides which branches it looks at. */
export type ReadAs = Pick<Bun.TranspilerOptions, "target" | "define">;

/**
 * What in a file would be run while it is bundled, with its place as `:line:column` where that is known, or `null`. Bun runs
 * functions that are imported `with { type: "macro" }` then, outside of every sandbox, and cannot be told not to; its
 * transpiler can, and reads the same language. As which one a file is read is up to whoever imports it: all are tried.
 */
export const macroIn = (bytes: Uint8Array, as: ReadAs): { place: string } | null => {
  const text = textOf(bytes);
  // Nearly every file is told from here, however the word is written.
  const [, ...imports] = unescaped(text).split(/\bimport\b/);
  if (!/["']macro["':]/.test(imports.join("import"))) return null;
  const read = scriptLoaders.map((loader) => complaintsOf(text, { loader, ...as }));
  const macro = read.flat().find(({ message }) => /macro/i.test(message));
  if (macro) return { place: macro.place };
  // What cannot be read cannot be judged either.
  return read.every((complaints) => complaints.length > 0) ? { place: "" } : null;
};

type Complaint = { message: string; place: string };

const complaintsOf = (text: string, options: Bun.TranspilerOptions): Complaint[] => {
  try {
    // The types know maps of macros alone, not the word that switches them off.
    new Bun.Transpiler(
      Object.assign({ deadCodeElimination: false }, options, { macro: false }),
    ).transformSync(text);
    return [];
  } catch (error) {
    const errors: unknown = Reflect.get(Object(error), "errors");
    return (Array.isArray(errors) && errors.length > 0 ? errors : [error]).map(complaintOf);
  }
};

const complaintOf = (error: unknown): Complaint => {
  const position = Object(Reflect.get(Object(error), "position") ?? {});
  const [line, column] = [Reflect.get(position, "line"), Reflect.get(position, "column")];
  const place = typeof line === "number" && line > 0 ? `:${line}:${column}` : "";
  return { message: String(Reflect.get(Object(error), "message")), place };
};

/** The bundler reads UTF-16 too when a file says that it is. */
const textOf = (bytes: Uint8Array): string =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8").decode(bytes);

/** The text with the escapes of JavaScript's strings undone, wherever they stand. Source: ECMA-262 §12.9.4. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([0-7]{1,3})|(\r\n|[\s\S]))/gi,
    (_, braced, four, two, octal, other) => {
      if (other !== undefined) return /[\r\n\u2028\u2029]/.test(other) ? "" : other;
      const code =
        octal === undefined ? Number.parseInt(braced ?? four ?? two, 16) : Number.parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
