/** An instant to the second, in UTC, in the form that names of files have: `20261121T143000Z`. */
export const stampOf = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, "");
