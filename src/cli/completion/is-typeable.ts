/**
 * Whether a word may stand on a command line as it is. bash and PowerShell put what is offered there unquoted, so that a space
 * would part it, a `$(…)` would be run, and a dash in front would make an option of it.
 */
export const isTypeable = (word: string): boolean => /^[\w.@][\w.@-]*$/.test(word);

/** The same for a path of the API, which begins with a slash; plugins' may hold `$()` and quotes. */
export const isTypeablePath = (word: string): boolean => /^\/[\w./@-]*$/.test(word);
