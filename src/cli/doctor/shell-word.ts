/** A text as one word of a shell's command line, for commands that whoever reads them runs as they are. */
export const shellWord = (text: string): string =>
  /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
