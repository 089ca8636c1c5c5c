/**
 * No answer about an address comes sooner than this after the database was asked. Several times what the statements
 * take, so that their number does not show.
 */
export const addressAnswerMs = 40;
