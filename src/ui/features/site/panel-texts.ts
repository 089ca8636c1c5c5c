/** Example data of the panel drawn on the landing page; nobody in it exists. */
export const panelTexts = {
  label: "The admin area of Atrium with example data: state of database, mail, memory and uptime, and users",
  product: "Atrium",
  menu: ["Overview", "Users", "Messages"],
  title: "Overview",
  welcome: "Welcome back, Mira Okafor",
  state: "Everything is all right",
  stateTime: "Checked just now",
  stateNote: "Database, mail and accounts need nothing from you.",
  tiles: [
    { name: "Database", value: "0.4 ms", note: "PostgreSQL 18" },
    { name: "Mail", value: "0 waiting", note: "Sent by SMTP" },
    { name: "Memory", value: "94 MB", note: "4 processors" },
    { name: "Uptime", value: "12d 4h", note: "Version 1.0.0" },
  ],
  factsTitle: "System Information",
  facts: [
    { name: "Admin e-mail", value: "mira@northwind.example" },
    { name: "Role", value: "Admin" },
    { name: "Public address", value: "https://northwind.example" },
  ],
  usersTitle: "Users",
  usersCount: "1,284",
  admin: "Admin",
  users: [
    { name: "Jonas Lind", email: "jonas@lindverk.example", role: "User", status: "Active" },
    { name: "Sofia Marques", email: "sofia@atelier.example", role: "User", status: "Active" },
    { name: "Mira Okafor", email: "mira@northwind.example", role: "Admin", status: "Active" },
  ],
} as const;
