/** First word of the command line with which the program runs a plugin for a test. */
export const kitSubcommand = "__plugin-kit";
