/** The page's texts outside its parts. */
export const texts = {
  lead: "Everything that a plugin can do. Try each part and read its source. The buttons make real changes on this server.",
  parts: "Parts",
  all: "All parts",
  unknown: "Page not found.",
  answerOf: (title: string) => `Result: ${title}`,
  buttons: "Code of the buttons",
  refused: (error: unknown): string => {
    const { message, status, errors } = Object(error);
    const fields = Array.isArray(errors) ? errors : [];
    return [
      `${status ? `${status}: ` : ""}${message}`,
      ...fields.map((field) => `${field.path}: ${field.message}`),
    ].join("\n");
  },
} as const;
