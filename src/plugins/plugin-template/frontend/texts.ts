/** Words of the page around its parts. */
export const texts = {
  lead: "Everything that a plugin can do, each part with a way to try it and the source behind it. What a button does really happens on this server.",
  parts: "Parts",
  all: "All parts",
  unknown: "There is no such part.",
  answerOf: (title: string) => `Answer: ${title}`,
  buttons: "What the buttons do",
  refused: (error: unknown): string => {
    const { message, status, errors } = Object(error);
    const fields = Array.isArray(errors) ? errors : [];
    return [
      `${status ? `${status}: ` : ""}${message}`,
      ...fields.map((field) => `${field.path}: ${field.message}`),
    ].join("\n");
  },
} as const;
