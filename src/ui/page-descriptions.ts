/**
 * What search engines show of each page that they may list, by its path. Read while pages are rendered ahead of time,
 * and kept apart from the routes so that no browser loads it.
 */
export const pageDescriptions: Readonly<Record<string, string>> = {
  "/": "A starter for web applications: secure authentication, verified addresses, an admin area and a database of its own.",
  "/about": "What Atrium is, what it is built on, and for whom.",
  "/contact": "Write to the people behind this site; replies come within 24-48 hours.",
  "/terms": "The rules for using this site and for having an account on it.",
  "/privacy": "What this site knows about you, why, for how long, and how to have it deleted.",
  "/cookies": "Every cookie and every setting that this site leaves in your browser.",
  "/login": "Sign in to your account.",
  "/register": "Create an account.",
  "/verify": "Have the verification e-mail sent again.",
  "/forgot-password": "Have a link mailed to you with which you set a new password.",
};
