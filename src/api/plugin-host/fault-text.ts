/** What a plugin's function threw, for its log: the message, and where in the bundle that was, if that is known. */
export const faultText = (plugin: string, error: unknown): string => {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: null };
  return withPlace(plugin, message, cause);
};

/** A message with the first place in the plugin's bundle that a stack of the interpreter names. */
export const withPlace = (plugin: string, message: string, stack: unknown): string => {
  // The plugin may have written the stack: nothing of it is taken but the numbers.
  const frames = typeof stack === "string" ? stack.matchAll(framePattern) : [];
  for (const [, file, place] of frames) if (file === `${plugin}.js`) return `${message} (${file}:${place})`;
  return message;
};

const framePattern = /(?<![\w.-])([\w.-]{1,100}):(\d{1,7}(?::\d{1,7})?)/g;
