/** Example data of the panel drawn on the landing page; nobody in it exists. */
export const panelTexts = {
  label: "The admin overview of Atrium with example data: database, mail, memory, uptime, activity and users",
  product: "Atrium",
  menu: ["Overview", "Users"],
  title: "Overview",
  state: "Everything is all right",
  tiles: [
    { name: "Database", value: "0.4 ms", note: "PostgreSQL 18, embedded" },
    { name: "Mail", value: "0 waiting", note: "48 sent today" },
    { name: "Memory", value: "94 MB", note: "of 2 GB" },
    { name: "Uptime", value: "12 d 4 h", note: "version 0.1.0" },
  ],
  weekTitle: "Sign-ins this week",
  week: [
    { day: "Fri", count: 34 },
    { day: "Sat", count: 18 },
    { day: "Sun", count: 22 },
    { day: "Mon", count: 58 },
    { day: "Tue", count: 66 },
    { day: "Wed", count: 49 },
    { day: "Thu", count: 80 },
  ],
  usersTitle: "Recently active",
  users: [
    { name: "Mira Okafor", email: "mira@northwind.example", role: "Admin", seen: "just now" },
    { name: "Jonas Lind", email: "jonas@lindverk.example", role: "User", seen: "4 min ago" },
    { name: "Sofia Marques", email: "sofia@atelier.example", role: "User", seen: "1 h ago" },
  ],
} as const;
